import requests
import attr

API = "https://rep.example.org/api/v1"


@attr.s(auto_attribs=True)
class Member:
    passport_id: int
    score: float
    main_wallet: str


def fetch(resource, ident=None, session=None, **params):
    url = f"{API}/{resource}"
    if ident is not None:
        url = f"{url}/{ident}"
    http = session or requests
    resp = http.get(url, params=params)
    return resp.json()


def members():
    page = fetch("passports", keyword="x")  # call: passport-list
    return [Member(passport_id=p["passport_id"], score=p["score"], main_wallet=p["main_wallet"]) for p in page["passports"]]  # read: passports[].passport_id, passports[].score, passports[].main_wallet


def table(ms):
    for m in ms:
        print(m.passport_id, m.score)


def one(i):
    data = fetch("passports", i)  # call: passport
    p = data.get("passport")
    return p["merged"]  # read: passport.merged


def jobs():
    data = fetch("jobs")
    return [j["score"] for j in data["passports"]]


table(members())
