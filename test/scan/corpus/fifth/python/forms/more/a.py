import enum, string, functools
from urllib.parse import urljoin
import requests
import jmespath
from glom import glom

BASE = "https://r.example.org"


class Path(str, enum.Enum):
    LIST = "/api/v1/passports"
    CREDS = "/api/v1/passport_credentials"  # call: passport-credentials


class Lazy:
    resource = "passports"

    def __init__(self, ident):
        self.ident = ident
        self._raw = None

    def url(self, *parts):
        return "/".join([BASE, "api", "v1", *parts])

    @property
    def raw(self):
        if self._raw is None:
            self._raw = requests.get(self.url(self.resource, self.ident)).json()  # call: passport
        return self._raw

    @functools.cached_property
    def passport(self):
        return self.raw["passport"]

    @property
    def score(self):
        return self.passport["score"]  # read: passport.score

    def __getitem__(self, key):
        return self.passport[key]

    def __repr__(self):
        return f"<{self['main_wallet']}>"  # read: passport.main_wallet


def a():
    for p in requests.get(BASE + Path.LIST.value).json()["passports"]:  # call: passport-list
        print(p["score"])  # read: passports[].score


def b(i):
    get = functools.partial(requests.get, headers={"X-API-KEY": "k"}, timeout=3)
    body = get(urljoin(BASE, f"/api/v1/passports/{i}")).json()  # call: passport
    return jmespath.search("passport.passport_socials[].source", body), glom(body, "passport.merged")  # read: passport.passport_socials[].source, passport.merged


def c(i):
    t = string.Template("$base/api/v1/passport_credentials?passport_id=$id")
    r = requests.request("get", url=t.substitute(base=BASE, id=i))  # call: passport-credentials
    creds = r.json()["passport_credentials"]
    creds.sort(key=lambda c: (c["category"], -c["score"]))  # read: passport_credentials[].category, passport_credentials[].score
    return [dict(c, label=c["name"]) for c in creds]  # read: passport_credentials[].name


def card(*, score, main_wallet, **_):
    return f"{score} {main_wallet}"


def d(i):
    resp = requests.get("{base}/api/v1/{what}/{id}".format(base=BASE, what="passports", id=i))  # call: passport
    p = resp.json()["passport"]
    bio = ((p.get("passport_profile") or {}).get("bio") or "").strip()  # read: passport.passport_profile.bio; hazard: fallback-default
    print(*(f"{k}={p[k]}" for k in ("score", "merged")))  # read: passport.score, passport.merged
    lines = [
        "Score: %d" % p["activity_score"],  # read: passport.activity_score
        "Wallets: {}".format(len(p["verified_wallets"])),  # read: passport.verified_wallets[]
        "Human" if p["human_checkmark"] else "",  # read: passport.human_checkmark
    ]
    assert isinstance(p["passport_id"], str)  # read: passport.passport_id
    return bio, lines


def e(ids):
    people = []
    for i in ids:
        people.append(requests.get(f"{BASE}/api/v1/passports/{i}").json()["passport"])  # call: passport
    people = sorted(people, key=lambda p: p["score"], reverse=True)  # read: passport.score
    ranks = {p["main_wallet"]: n for n, p in enumerate(people, 1)}  # read: passport.main_wallet
    top, bottom = people[0], people[-1]
    gap = top["skills_score"] - bottom["skills_score"]  # read: passport.skills_score
    buckets = {}
    for p in people:
        buckets.setdefault(p["human_checkmark"], []).append(p)  # read: passport.human_checkmark
    for flag, group in buckets.items():
        print(flag, [g["identity_score"] for g in group])  # read: passport.identity_score
    while people:
        p = people.pop()
        print(p["connections_count"])  # read: passport.connections_count
    return ranks, gap
