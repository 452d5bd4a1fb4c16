import json
import os
import time
from pathlib import Path

import requests

BASE = os.environ.get("TALENT_BASE", "https://api.talentprotocol.com")
HEADERS = {"X-API-KEY": os.environ["TALENT_KEY"]}
RAW = Path("raw")
RAW.mkdir(exist_ok=True)


def fetch_all(keyword=None, limit_pages=40, pause=0.5):
    """All passports of the list, page by page, kept on disk so that the cell can be run again."""
    path = RAW / f"passports-{keyword or 'all'}.json"
    if path.exists():
        return json.loads(path.read_text())

    rows, page = [], 1
    while page <= limit_pages:
        r = requests.get(BASE + "/api/v1/passports", headers=HEADERS, params={"page": page, "keyword": keyword})
        r.raise_for_status()
        body = r.json()
        rows += body["passports"]
        pg = body["pagination"]
        print(f"\rpage {pg['current_page']}/{pg['last_page']} of {pg['total']} passports", end="")
        if pg["current_page"] >= pg["last_page"]:
            break
        page += 1
        time.sleep(pause)
    path.write_text(json.dumps(rows))
    return rows


def fetch_credentials(passport_id):
    path = RAW / f"credentials-{passport_id}.json"
    if path.exists():
        return json.loads(path.read_text())
    url = f"{BASE}/api/v1/passport_credentials?passport_id={passport_id}"
    data = requests.get(url, headers=HEADERS).json()
    creds = data.get("passport_credentials", [])
    path.write_text(json.dumps(creds))
    return creds


def fetch_one(passport_id):
    resp = requests.get(f"{BASE}/api/v1/passports/{passport_id}", headers=HEADERS, timeout=15)
    if resp.status_code != 200:
        print("skipping", passport_id, resp.status_code)
        return None
    return resp.json()["passport"]
