import os
import time
from collections.abc import Iterator
from urllib.parse import urljoin

import requests

ROOT = os.environ.get("TALENT_ROOT", "https://api.talentprotocol.com/")

LIST = urljoin(ROOT, "api/v1/passports")
CREDENTIALS = urljoin(ROOT, "api/v1/passport_credentials")

session = requests.Session()
session.headers["X-API-KEY"] = os.environ["TALENT_API_KEY"]


def polite(url: str, **params) -> dict:
    """GET with respect for the limit of 25 requests in 10 seconds."""
    time.sleep(0.45)
    r = session.get(url, params=params, timeout=30)
    if r.status_code == 429:
        time.sleep(10)
        r = session.get(url, params=params, timeout=30)
    r.raise_for_status()
    return r.json()


def passports(limit: int) -> Iterator[dict]:
    page = 1
    while page <= limit:
        body = polite(LIST, page=page)
        yield from body["passports"]
        info = body["pagination"]
        if info["current_page"] >= info["last_page"]:
            break
        page += 1


def passport(wallet: str) -> dict | None:
    try:
        return polite(f"{LIST}/{wallet}")["passport"]
    except requests.HTTPError as e:
        if e.response.status_code == 404:
            return None
        raise


def credentials(wallet: str) -> list[dict]:
    try:
        return polite(CREDENTIALS, passport_id=wallet)["passport_credentials"]
    except Exception as e:
        print(f"! no credentials for {wallet}: {e}")
        return []
