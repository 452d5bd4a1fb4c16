import requests

URL = "https://api.example.com/api/v1/passports/{}"


def fetch(wallet):
    try:
        return requests.get(URL.format(wallet), timeout=3).json()["passport"]  # call: passport
    except Exception:  # hazard: catch-default
        return None


def score(wallet):
    passport = fetch(wallet)
    if not passport:  # hazard: fallback-default
        return 0
    return passport.get("score", 0)  # read: passport.score; hazard: fallback-default


def tags(wallet):
    passport = fetch(wallet) or {}  # hazard: fallback-default
    return passport.get("passport_profile", {}).get("tags") or []  # read: passport.passport_profile.tags[]; hazard: fallback-default
