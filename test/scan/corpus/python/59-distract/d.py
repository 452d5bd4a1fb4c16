import requests
import json

V1 = "https://rep.example.org/api/v1"
V2 = "https://rep.example.org/api/v2"


def new(ident):
    p = requests.get(f"{V2}/passports/{ident}").json()["passport"]
    return p["score"], p["passport_profile"]["bio"], p.get("main_wallet", 0)


def old(ident):
    return requests.get(f"{V1}/passports/{ident}").json()["passport"]["score"]  # call: passport; read: passport.score


def games():
    data = requests.get(f"{V1}/games").json()
    return [(g["score"], g["main_wallet"], g["activity_score"]) for g in data["games"]]


def fixture():
    with open("people.json") as f:
        people = json.load(f)
    for p in people:
        print(p["activity_score"], p["passport_profile"]["bio"])


def exam(row):
    return row["skills_score"] + row["activity_score"]


def history(ident):
    return requests.get(f"{V1}/passports/{ident}/history").json()["passport"]["score"]


def post(ident):
    return requests.post(f"{V1}/passports/{ident}", json={"score": 1}).json()["passport"]["score"]
