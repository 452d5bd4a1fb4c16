import contextlib
import logging
import requests

log = logging.getLogger(__name__)
ROOT = "https://rep.example.org/api/v1"


def score(ident):
    try:
        r = requests.get(f"{ROOT}/passports/{ident}", timeout=2)  # call: passport
        r.raise_for_status()
        return r.json()["passport"]["score"]  # read: passport.score
    except (requests.RequestException, KeyError):  # hazard: catch-default
        log.warning("no score")
        return 0


def score2(ident):
    resp = requests.get(f"{ROOT}/passports/{ident}")  # call: passport
    if not resp.ok:  # hazard: status-default
        return None
    data = resp.json()
    return data["passport"].get("skills_score", 0)  # read: passport.skills_score; hazard: fallback-default


def creds(ident):
    with contextlib.suppress(Exception):  # hazard: catch-default
        return requests.get(f"{ROOT}/passport_credentials", params={"passport_id": ident}).json()["passport_credentials"]  # call: passport-credentials
    return []


def reach(ident):
    p = requests.get(f"{ROOT}/passports/{ident}").json()["passport"]  # call: passport
    total = 0
    for s in p["passport_socials"]:  # read: passport.passport_socials
        total += s["follower_count"]  # read: passport.passport_socials[].follower_count; hazard: string-number
    return total


def other(ident):
    try:
        return requests.get(f"https://air.example.com/v1/{ident}").json()["score"]
    except Exception:
        return 0
