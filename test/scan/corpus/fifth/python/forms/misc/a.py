import json
import logging
import os
import sqlite3
from collections import Counter, defaultdict, namedtuple
from functools import reduce
from itertools import chain, groupby
import requests

log = logging.getLogger(__name__)
session = requests.Session()
session.headers["X-API-KEY"] = os.environ["K"]
ENDPOINTS = {"one": "/api/v1/passports/{id}", "creds": "/api/v1/passport_credentials"}
Holder = namedtuple("Holder", "wallet score")


def call(name, **kw):
    url = os.environ["B"] + ENDPOINTS[name].format(**kw)
    resp = session.get(url)  # call: passport, passport-credentials
    if not resp.ok:
        raise RuntimeError(resp.status_code)
    return resp.json()


def holder(i):
    p = call("one", id=i)["passport"]
    return Holder(p["main_wallet"], p["score"])  # read: passport.main_wallet, passport.score


def summary(i):
    data = call("creds", id=i).get("passport_credentials")
    by = Counter(c["category"] for c in data)  # read: passport_credentials[].category
    best = max(data, key=lambda c: c["score"])  # read: passport_credentials[].score
    total = sum(c["max_score"] for c in data)  # read: passport_credentials[].max_score
    names = ", ".join(sorted({c["name"] for c in data}))  # read: passport_credentials[].name
    first, *_ = data
    db = sqlite3.connect("x")
    db.executemany("insert into c values (?, ?)", [(c["id"], c["earned_at"]) for c in data])  # read: passport_credentials[].id, passport_credentials[].earned_at
    return by, best["type"], total, names, first["value"]  # read: passport_credentials[].type, passport_credentials[].value


def cached(i):
    path = f"/tmp/{i}.json"
    if os.path.exists(path):
        with open(path) as fh:
            p = json.load(fh)
    else:
        p = call("one", id=i)["passport"]
        with open(path, "w") as fh:
            json.dump(p, fh)
    return p["skills_score"]  # read: passport.skills_score


def nested(i):
    p = call("one", id=i)["passport"]

    def label():
        return p["passport_profile"]["display_name"]  # read: passport.passport_profile.display_name

    wallets = set(p["verified_wallets"]) | {p["main_wallet"]}  # read: passport.verified_wallets[], passport.main_wallet
    {**p, "x": 1}["merged"]  # read: passport.merged
    socials = {s["source"]: s for s in p["passport_socials"]}  # read: passport.passport_socials, passport.passport_socials[].source
    gh = socials.get("github")
    if gh is not None:
        log.info("%s %s", gh["profile_url"], label())  # read: passport.passport_socials[].profile_url
    try:
        lens = next(s for s in p["passport_socials"] if s["source"] == "lens")  # read: passport.passport_socials, passport.passport_socials[].source
    except StopIteration:
        lens = None
    score = p["score"] if "score" in p else -1  # read: passport.score
    del p["passport_profile"]["bio"]  # read: passport.passport_profile.bio
    return wallets, lens and lens["profile_name"], score  # read: passport.passport_socials[].profile_name


def foreign(i):
    row = sqlite3.connect("x").execute("select * from p where id=?", (i,)).fetchone()
    return row["score"], row["main_wallet"]
