"""Pulls the reputation data for the travel grant committee."""

import os
import time
from collections.abc import Iterator

import requests
from dotenv import load_dotenv

load_dotenv()

API = os.getenv("TALENT_HOST", "https://api.talentprotocol.com")
PASSPORTS = f"{API}/api/v1/passports"
CREDENTIALS = f"{API}/api/v1/passport_credentials"

_session = requests.Session()
_session.headers.update({"X-API-KEY": os.getenv("TALENT_API_KEY", ""), "Accept": "application/json"})


def _polite_get(url: str, **params) -> requests.Response:
    for attempt in range(4):
        res = _session.get(url, params=params, timeout=20)
        if res.status_code != 429:
            break
        time.sleep(2**attempt)
    return res


def lookup(wallet: str) -> dict:
    res = _polite_get(f"{PASSPORTS}/{wallet.strip().lower()}")
    if not res.ok:
        return {}
    return res.json()["passport"]


def pages(keyword: str) -> Iterator[list[dict]]:
    page = 1
    while True:
        res = _polite_get(PASSPORTS, keyword=keyword, page=page)
        res.raise_for_status()
        body = res.json()
        yield body["passports"]
        meta = body["pagination"]
        if page >= meta["last_page"]:
            print(f"{keyword}: {meta['total']} people")
            return
        page += 1


def credentials(passport_id: int) -> list[dict]:
    try:
        res = _polite_get(CREDENTIALS, passport_id=passport_id)
        return res.json()["passport_credentials"]
    except (requests.RequestException, ValueError, KeyError):
        return []
