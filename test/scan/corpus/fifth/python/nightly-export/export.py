"""Nightly: writes passports and their credentials to two CSV files."""
import csv
import os
import sys
import time
from datetime import date
from operator import itemgetter

import httpx

client = httpx.Client(
    base_url=os.environ["REP_ROOT"],
    headers={"X-API-KEY": os.environ["REP_KEY"]},
    timeout=30,
)

PEOPLE = ["passport_id", "score", "human_checkmark", "main_wallet"]  # read: passports[].passport_id, passports[].score, passports[].human_checkmark, passports[].main_wallet
CREDS = ["id", "type", "value", "last_calculated_at"]  # read: passport_credentials[].id, passport_credentials[].type, passport_credentials[].value, passport_credentials[].last_calculated_at


def passports():
    number = 1
    while True:
        reply = client.get("/api/v1/passports", params={"page": number}).raise_for_status().json()  # call: passport-list
        yield from reply["passports"]
        paging = reply["pagination"]  # read: pagination
        if paging["current_page"] == paging["last_page"]:  # read: pagination.current_page, pagination.last_page
            return
        number += 1
        time.sleep(0.5)


def credentials(passport_id):
    try:
        reply = client.get(f"/api/v1/passport_credentials?passport_id={passport_id}").json()  # call: passport-credentials
    except (httpx.HTTPError, ValueError):  # hazard: catch-default
        return []
    return reply.get("passport_credentials", [])  # hazard: fallback-default


def main():
    stamp = date.today().isoformat()
    pick = itemgetter(*PEOPLE)
    with open(f"people-{stamp}.csv", "w", newline="") as pf, open(f"creds-{stamp}.csv", "w", newline="") as cf:
        people, creds = csv.writer(pf), csv.DictWriter(cf, CREDS, extrasaction="ignore")
        people.writerow(PEOPLE)
        creds.writeheader()
        for p in passports():
            people.writerow(pick(p))
            creds.writerows(credentials(p["passport_id"]))  # read: passports[].passport_id
    print("done", stamp, file=sys.stderr)


if __name__ == "__main__":
    main()
