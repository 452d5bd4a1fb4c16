import sys

import requests

from constants import AIRLINE_URL, CREDENTIALS_URL, DEFAULT_HEADERS, PASSPORTS_URL, TIMEOUT


def passport(pid):
    resp = requests.get(f"{PASSPORTS_URL}/{pid}", headers=DEFAULT_HEADERS, timeout=TIMEOUT)  # call: passport
    resp.raise_for_status()
    return resp.json()["passport"]


def credentials(pid):
    resp = requests.get(  # call: passport-credentials
        CREDENTIALS_URL,
        params={"passport_id": pid},
        headers=DEFAULT_HEADERS,
    )
    return resp.json()["passport_credentials"]


def booking(number):
    data = requests.get(AIRLINE_URL + "/" + number).json()
    return data["passport"]["score"], data["passport"]["location"]


def card(pid):
    p = passport(pid)
    lines = ["%s: %d" % (p["passport_profile"]["display_name"], p["score"])]  # read: passport.passport_profile.display_name, passport.score
    for c in credentials(pid):
        lines.append(f"  {c['name']} {c['score']}/{c['max_score']}")  # read: passport_credentials[].name, passport_credentials[].score, passport_credentials[].max_score
    if p.get("human_checkmark"):  # read: passport.human_checkmark
        lines.append("human")
    return "\n".join(lines)


if __name__ == "__main__":
    print(card(sys.argv[1]))
