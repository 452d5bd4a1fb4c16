"""Small client for the passport API."""
from __future__ import annotations

import os
import time
from typing import Any, Iterator

import httpx

BASE_URL = os.getenv("PASSPORT_BASE_URL", "https://api.talentprotocol.com")


class PassportError(RuntimeError):
    def __init__(self, status: int, path: str):
        super().__init__(f"{path} answered {status}")
        self.status = status


class PassportClient:
    def __init__(self, api_key: str | None = None, transport: httpx.BaseTransport | None = None):
        headers = {"X-API-KEY": api_key} if api_key else {}
        self._http = httpx.Client(
            base_url=f"{BASE_URL}/api/v1", headers=headers, timeout=10, transport=transport
        )

    def _get(self, path: str, **params: Any) -> dict:
        for attempt in range(3):
            response = self._http.get(path, params={k: v for k, v in params.items() if v is not None})
            if response.status_code == 429:
                time.sleep(2**attempt)
                continue
            if response.is_error:
                raise PassportError(response.status_code, path)
            return response.json()
        raise PassportError(429, path)

    def passport(self, wallet: str) -> dict:
        return self._get(f"/passports/{wallet}")["passport"]

    def search(self, keyword: str | None = None, limit: int = 100) -> Iterator[dict]:
        page, seen = 1, 0
        while True:
            body = self._get("/passports", keyword=keyword, page=page)
            for passport in body["passports"]:
                yield passport
                seen += 1
                if seen >= limit:
                    return
            pagination = body["pagination"]
            if pagination["current_page"] >= pagination["last_page"]:
                return
            page += 1

    def credentials(self, passport_id: int) -> list[dict]:
        return self._get("/passport_credentials", passport_id=passport_id)["passport_credentials"]

    def close(self) -> None:
        self._http.close()
