import json
import redis
import requests

r = redis.Redis()


def cached(key, produce):
    hit = r.get(key)
    if hit:
        return json.loads(hit)
    value = produce()
    r.set(key, json.dumps(value))
    return value


def passport(ident):
    return cached(f"p:{ident}", lambda: requests.get(f"https://rep.example.org/api/v1/passports/{ident}").json()["passport"])  # call: passport


def with_passport(ident, then):
    return then(passport(ident))


def show(ident):
    with_passport(ident, lambda p: print(p["score"]))  # read: passport.score
    with_passport(ident, report)


def report(p, out=print):
    out(p["merged"])  # read: passport.merged
