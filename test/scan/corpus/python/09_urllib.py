import json
import urllib.request

API = "https://api.example.com/api/v1/passports"


def score_of(wallet):
    req = urllib.request.Request(f"{API}/{wallet}", headers={"X-API-KEY": "k"})  # call: passport
    with urllib.request.urlopen(req) as handle:
        answer = json.loads(handle.read().decode("utf-8"))
    passport = answer["passport"]
    if passport["calculating_score"]:  # read: passport.calculating_score
        raise RuntimeError("try later")
    return passport["score"]  # read: passport.score


def newest():
    answer = json.load(urllib.request.urlopen(API))  # call: passport-list
    return max(p["last_calculated_at"] for p in answer["passports"])  # read: passports[].last_calculated_at
