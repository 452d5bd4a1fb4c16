"""Download everything the notebook-free analysis needs."""
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import requests

API_ROOT = os.environ["TALENT_API"].rstrip("/") + "/api/v1/"
WORLD_BANK = "https://api.worldbank.org/v2/country/all/indicator/PA.NUS.PPPC.RF"

session = requests.Session()
session.headers["X-API-KEY"] = os.environ.get("TALENT_KEY", "")


def call(resource, **params):
    for attempt in range(4):
        reply = session.get(API_ROOT + resource, params=params, timeout=20)
        if reply.status_code != 429:
            break
        time.sleep(2**attempt)
    reply.raise_for_status()
    return reply.json()


def all_passports(keyword):
    page = 1
    while True:
        body = call("passports", keyword=keyword, page=page)
        yield from body["passports"]
        pagination = body["pagination"]
        print(f"page {page}/{pagination['last_page']} of {pagination['total']} people", file=sys.stderr)
        if pagination["current_page"] >= pagination["last_page"]:
            return
        page += 1


def credentials(passport_id):
    try:
        rows = call("passport_credentials", passport_id=passport_id)["passport_credentials"]
    except requests.HTTPError as exc:
        print(f"skipping {passport_id}: {exc}", file=sys.stderr)
        rows = []
    return [{"owner": passport_id, **row} for row in rows]


def credentials_of(ids):
    with ThreadPoolExecutor(max_workers=3) as pool:
        for chunk in pool.map(credentials, ids):
            yield from chunk


def price_levels(year=2024):
    reply = requests.get(WORLD_BANK, params={"date": year, "format": "json", "per_page": 400}, timeout=30)
    header, rows = reply.json()
    if header["total"] > header["per_page"]:
        print("price levels truncated", file=sys.stderr)
    return {row["country"]["value"]: row["value"] for row in rows if row["value"]}
