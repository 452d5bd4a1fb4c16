"""Client of the Talent Protocol API (the new one with profiles, not passports)."""
from __future__ import annotations

import os

import requests

BASE_URL = os.environ.get("TALENT_API_URL", "https://api.talentprotocol.com")


class ApiError(RuntimeError):
    pass


class Api:
    def __init__(self, key: str) -> None:
        self._session = requests.Session()
        self._session.headers["X-API-KEY"] = key

    def _get(self, path: str, **params: object) -> dict:
        response = self._session.get(f"{BASE_URL}{path}", params=params, timeout=15)
        if response.status_code == 404:
            return {}
        if not response.ok:
            raise ApiError(f"{path}: {response.status_code}")
        return response.json()

    def profile(self, wallet: str) -> dict | None:
        return self._get("/profile", id=wallet, account_source="wallet").get("profile")

    def score(self, wallet: str) -> dict:
        return self._get("/score", id=wallet, account_source="wallet").get("score", {"points": 0})

    def credentials(self, wallet: str) -> list[dict]:
        return self._get("/credentials", id=wallet, account_source="wallet").get("credentials", [])

    def socials(self, wallet: str) -> list[dict]:
        try:
            return self._get("/socials", id=wallet, account_source="wallet")["socials"]
        except (ApiError, KeyError):
            return []
