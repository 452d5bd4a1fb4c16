"""Pull every passport from the Talent API, page by page."""
from __future__ import annotations

import os
import time
from typing import Iterator, TypedDict

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

BASE_URL = "https://api.talentprotocol.com/api/v1"


class ProfileDict(TypedDict, total=False):
    display_name: str
    location: str
    tags: list[str]


class PassportDict(TypedDict):
    passport_id: int
    score: int
    activity_score: int
    identity_score: int
    skills_score: int
    last_calculated_at: str | None
    main_wallet: str | None
    verified_wallets: list[str]
    passport_profile: ProfileDict | None


def make_session() -> requests.Session:
    session = requests.Session()
    session.headers["X-API-KEY"] = os.environ["TALENT_API_KEY"]
    retry = Retry(total=5, backoff_factor=1, status_forcelist=[429, 500, 502, 503])
    session.mount("https://", HTTPAdapter(max_retries=retry))
    return session


def iter_passports(session: requests.Session, keyword: str | None = None) -> Iterator[PassportDict]:
    page = 1
    while True:
        params = {"page": page}
        if keyword:
            params["keyword"] = keyword
        response = session.get(f"{BASE_URL}/passports", params=params, timeout=30)
        response.raise_for_status()
        payload = response.json()
        yield from payload["passports"]

        pagination = payload["pagination"]
        if pagination["current_page"] >= pagination["last_page"]:
            break
        page += 1
        time.sleep(0.4)


def credentials_of(session: requests.Session, passport_id: int) -> list[dict]:
    try:
        response = session.get(
            f"{BASE_URL}/passport_credentials",
            params={"passport_id": passport_id},
            timeout=30,
        )
        response.raise_for_status()
        return response.json()["passport_credentials"]
    except (requests.RequestException, KeyError):
        return []
