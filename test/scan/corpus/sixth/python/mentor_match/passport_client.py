from __future__ import annotations

import logging
from typing import Any, Iterator
from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

logger = logging.getLogger(__name__)


class PassportClientError(Exception):
    pass


class PassportClient:
    def __init__(self, base_url: str, api_key: str | None = None) -> None:
        self.base_url = base_url
        self.session = requests.Session()
        self.session.mount("https://", HTTPAdapter(max_retries=Retry(total=3)))
        if api_key:
            self.session.headers["X-API-KEY"] = api_key

    def _get(self, path: str, **params: Any) -> dict[str, Any]:
        try:
            response = self.session.get(urljoin(self.base_url, path), params=params, timeout=15)
            response.raise_for_status()
        except requests.RequestException as exc:
            raise PassportClientError(str(exc)) from exc
        return response.json()

    def iter_passports(self, keyword: str) -> Iterator[dict[str, Any]]:
        page = 1
        while True:
            payload = self._get("/api/v1/passports", keyword=keyword, page=page)  # call: passport-list
            yield from payload["passports"]
            pagination = payload["pagination"]  # read: pagination
            if pagination["current_page"] >= pagination["last_page"]:  # read: pagination.current_page, pagination.last_page
                break
            page += 1

    def passport(self, passport_id: int | str) -> dict[str, Any]:
        return self._get(f"/api/v1/passports/{passport_id}")["passport"]  # call: passport

    def credentials(self, passport_id: int | str) -> list[dict[str, Any]]:
        return self._get("/api/v1/passport_credentials", passport_id=passport_id)["passport_credentials"]  # call: passport-credentials
