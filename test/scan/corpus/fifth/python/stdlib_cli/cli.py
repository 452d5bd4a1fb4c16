import argparse
import json
from urllib.error import URLError
from urllib.request import Request, urlopen

PARTS = ["https://rep.example.org", "api", "v1", "passports"]


def read_passport(ident):
    req = Request("/".join(PARTS + [ident]), headers={"X-API-KEY": "demo"})  # call: passport
    try:
        with urlopen(req, timeout=4) as handle:
            return json.loads(handle.read())["passport"]
    except URLError:  # hazard: catch-default
        return {}


def show(ident):
    p = read_passport(ident)
    print("id      ", p.get("passport_id"))  # read: passport.passport_id
    print("checked ", "yes" if p.get("human_checkmark") else "no")  # read: passport.human_checkmark
    print("bio     ", (p.get("passport_profile") or {}).get("bio", "-"))  # read: passport.passport_profile.bio; hazard: fallback-default
    for s in p.get("passport_socials", ()):  # read: passport.passport_socials; hazard: fallback-default
        ratio = float(s["follower_count"]) / max(1, float(s["following_count"]))  # read: passport.passport_socials[].follower_count, passport.passport_socials[].following_count
        print("  %-10s %.1f" % (s["source"], ratio))  # read: passport.passport_socials[].source


def show_github(login):
    with urlopen("https://api.github.com/users/" + login) as handle:
        user = json.load(handle)
    print(user["followers"], user["bio"], user["location"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("ident")
    show(parser.parse_args().ident)
