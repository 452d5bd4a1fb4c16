import os
import time

import requests

API_ROOT = "https://api.talentprotocol.com/api/v1"
PASSPORTS = f"{API_ROOT}/passports"
CREDENTIALS = f"{API_ROOT}/passport_credentials"
LUMA = "https://api.lu.ma/public/v1/event/get-guests"

HEADERS = {"X-API-KEY": os.environ.get("TALENT_KEY", "")}


def get_json(url, params=None, headers=HEADERS, tries=3):
    for attempt in range(tries):
        r = requests.get(url, params=params, headers=headers, timeout=30)
        if r.status_code == 429:
            time.sleep(10 * (attempt + 1))
            continue
        r.raise_for_status()
        return r.json()
    raise RuntimeError(f"gave up on {url}")


def all_passports(keyword=None, max_pages=200):
    """All passports, page by page."""
    out = []
    for page in range(1, max_pages + 1):
        body = get_json(PASSPORTS, {"keyword": keyword, "page": page})
        out.extend(body["passports"])
        paging = body["pagination"]
        if paging["current_page"] >= paging["last_page"]:
            break
        time.sleep(0.4)
    return out


def passport(pid):
    return get_json(f"{PASSPORTS}/{pid}")["passport"]


def credentials(pid):
    try:
        return get_json(CREDENTIALS, {"passport_id": pid})["passport_credentials"]
    except Exception as e:
        print("skip", pid, e)
        return []


def luma_guests(event_id):
    body = get_json(LUMA, {"event_api_id": event_id}, headers={"x-luma-api-key": os.environ["LUMA_KEY"]})
    return [e["guest"] for e in body["entries"]]
