import functools

import requests

REP = "https://rep.example.org/api/v1"


def or_default(default):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            try:
                return fn(*args, **kwargs)
            except Exception:
                return default
        return inner
    return deco


def points(wallet):
    try:
        return requests.get(f"{REP}/passports/{wallet}").json()["passport"]["score"]  # call: passport; read: passport.score
    except (KeyError, ValueError, requests.RequestException):  # hazard: catch-default
        return 0


def values(wallet):
    try:
        body = requests.get(REP + "/passport_credentials", params={"passport_id": wallet}).json()  # call: passport-credentials
        return [c["value"] for c in body["passport_credentials"] if c.get("value")]  # read: passport_credentials[].value
    except Exception:  # hazard: catch-default
        return []


@or_default(None)
def karma(user):
    about = requests.get(f"https://forum.example.com/u/{user}.json").json()
    return about["score"] + about["value"]
