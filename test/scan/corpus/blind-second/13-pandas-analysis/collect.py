"""Fetch passports and credentials from Talent Protocol."""
import os
import time

import requests

API = os.getenv("TALENT_API", "https://api.talentprotocol.com/api/v1")
HEADERS = {"X-API-KEY": os.getenv("TALENT_KEY", "")}


def get(path, **params):
    for attempt in range(5):
        r = requests.get(API + path, params=params, headers=HEADERS, timeout=30)
        if r.status_code == 429:
            time.sleep(10 * (attempt + 1))
            continue
        r.raise_for_status()
        return r.json()
    raise RuntimeError(f"gave up on {path}")


def fetch_passports(max_pages=20):
    records, page = [], 1
    while page <= max_pages:
        body = get("/passports", page=page)
        records.extend(body["passports"])
        paging = body["pagination"]
        print(f"page {paging['current_page']} of {paging['last_page']} ({paging['total']} in all)")
        if paging["current_page"] == paging["last_page"]:
            break
        page += 1
        time.sleep(0.5)
    return records


def fetch_credentials(passport_ids):
    rows = []
    for pid in passport_ids:
        try:
            creds = get("/passport_credentials", passport_id=pid)["passport_credentials"]
        except Exception as e:
            print("skipping", pid, e)
            creds = []
        for cred in creds:
            rows.append({"pid": pid, "type": cred["type"], "points": cred["score"], "max": cred.get("max_score", 0)})
    return rows
