#!/usr/bin/env python3
"""Download all passports and keep those that are eligible for the drop."""
import argparse
import json
import os
import sys
import time

import pandas as pd
import requests

API = os.getenv("TALENT_API", "https://api.talentprotocol.com")
PAGE_SLEEP = 0.5

session = requests.Session()
session.headers.update({"X-API-KEY": os.environ["TALENT_API_KEY"]})


def fetch_page(page):
    resp = session.get(f"{API}/api/v1/passports", params={"page": page})
    resp.raise_for_status()
    return resp.json()


def fetch_all(limit):
    page, out = 1, []
    while True:
        data = fetch_page(page)
        out += data["passports"]
        meta = data["pagination"]
        print(f"{len(out)}/{meta['total']}", file=sys.stderr)
        if meta["current_page"] >= meta["last_page"] or len(out) >= limit:
            return out[:limit]
        page += 1
        time.sleep(PAGE_SLEEP)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--limit", type=int, default=5000)
    ap.add_argument("--min-score", type=float, default=50)
    ap.add_argument("--raw", default="passports.json")
    ap.add_argument("--out", default="eligible.csv")
    args = ap.parse_args()

    passports = fetch_all(args.limit)
    with open(args.raw, "w") as fh:
        json.dump(passports, fh)

    df = pd.json_normalize(passports)
    df = df[df["score"] >= args.min_score]
    df = df[df["human_checkmark"]]
    df["name"] = df["passport_profile.display_name"].fillna("")
    df = df.drop_duplicates("main_wallet")
    df[["main_wallet", "name", "score"]].to_csv(args.out, index=False)
    print(f"{len(df)} eligible")


if __name__ == "__main__":
    main()
