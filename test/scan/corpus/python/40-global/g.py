import requests

_cache = {}
_last = None


def passport(ident):
    global _last
    if ident not in _cache:
        _cache[ident] = requests.get(f"https://rep.example.org/api/v1/passports/{ident}").json()["passport"]  # call: passport
    _last = _cache[ident]
    return _cache[ident]


def show(ident):
    print(passport(ident)["score"])  # read: passport.score


def last():
    lens = next((s for s in _last["passport_socials"] if s["source"] == "lens"), None)  # read: passport.passport_socials, passport.passport_socials[].source
    return lens and lens["profile_url"]  # read: passport.passport_socials[].profile_url


def handler(path):
    if path == "/api/v1/passports":
        return {"passports": []}
    if "/api/v1/passport_credentials" in path:
        return {}
    return None
