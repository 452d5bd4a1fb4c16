from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
import requests

API = "https://rep.example.org/api/v1"


def fetch(path, key=None):
    r = requests.get(f"{API}{path}", headers={"X-API-KEY": key})
    r.raise_for_status()
    return r.json()


def passport(ident):
    return fetch(f"/passports/{ident}")["passport"]  # call: passport


def run(idents):
    with ThreadPoolExecutor(max_workers=4) as pool:
        for p in pool.map(passport, idents):
            print(p["score"])  # read: passport.score
        futures = [pool.submit(passport, i) for i in idents]
        for f in as_completed(futures):
            print(f.result()["main_wallet"])  # read: passport.main_wallet
        by = {pool.submit(passport, i): i for i in idents}
        for future in as_completed(by):
            print(by[future], future.result()["verified_wallets"])  # read: passport.verified_wallets[]
    listing = partial(fetch, "/passports")  # call: passport-list
    print(listing()["pagination"]["total"])  # read: pagination.total
    return list(map(lambda p: p["merged"], map(passport, idents)))  # read: passport.merged
