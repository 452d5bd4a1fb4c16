"""Decides which wallets of a list may claim the drop."""
import csv
import os
import sys

import requests

BASE_URL = "https://api.reputation.example/api/v1"
HEADERS = {"X-API-KEY": os.environ.get("REPUTATION_API_KEY", "")}
MIN_SCORE = 40


def get_passport(wallet):
    response = requests.get(f"{BASE_URL}/passports/{wallet}", headers=HEADERS, timeout=10)  # call: passport
    if response.status_code != 200:  # hazard: status-default
        return None
    return response.json()["passport"]


def get_credentials(passport_id):
    response = requests.get(  # call: passport-credentials
        f"{BASE_URL}/passport_credentials",
        params={"passport_id": passport_id},
        headers=HEADERS,
        timeout=10,
    )
    response.raise_for_status()
    return response.json().get("passport_credentials", [])  # hazard: fallback-default


def is_eligible(wallet):
    passport = get_passport(wallet)
    if passport is None:
        return False
    if not passport["human_checkmark"]:  # read: passport.human_checkmark
        return False
    score = passport.get("score", 0)  # read: passport.score; hazard: fallback-default
    if score < MIN_SCORE:
        return False
    credentials = get_credentials(passport["passport_id"])  # read: passport.passport_id
    return any(c["type"] == "active_wallet" for c in credentials)  # read: passport_credentials[].type


def main(path):
    with open(path, newline="") as handle:
        rows = list(csv.DictReader(handle))
    writer = csv.writer(sys.stdout)
    for row in rows:
        bonus = int(row.get("score") or 0)
        writer.writerow([row["wallet"], row["category"], bonus, is_eligible(row["wallet"])])


if __name__ == "__main__":
    main(sys.argv[1])
