import requests
from typing import NamedTuple, TypedDict


class Answer(NamedTuple):
    status: int
    body: dict


def get(path) -> Answer:
    res = requests.get("https://rep.example.org/api/v1" + path)
    return Answer(res.status_code, res.json())


def pair(ident):
    a = get(f"/passports/{ident}")  # call: passport
    b = get("/passport_credentials")  # call: passport-credentials
    return a.body["passport"], b.body["passport_credentials"]


def main():
    passport, creds = pair("1")
    print(passport["score"], creds[0]["name"])  # read: passport.score, passport_credentials[].name
    result = {"p": passport, "c": creds}
    show(result)
    status, body = get("/passports")  # call: passport-list
    print(body["passports"][-1]["main_wallet"], status)  # read: passports[].main_wallet


def show(r):
    print(r["p"]["identity_score"])  # read: passport.identity_score
    for c in r["c"]:
        print(c["max_score"])  # read: passport_credentials[].max_score
