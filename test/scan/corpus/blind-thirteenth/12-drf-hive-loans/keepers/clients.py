import logging
from typing import Iterator

import requests
from django.conf import settings
from django.core.cache import cache
from requests_toolbelt.sessions import BaseUrlSession

logger = logging.getLogger(__name__)


class TalentUnavailable(Exception):
    pass


class TalentClient:
    def __init__(self):
        self.http = BaseUrlSession(base_url=settings.TALENT["BASE_URL"])
        self.http.headers["X-API-KEY"] = settings.TALENT["API_KEY"]

    def _get(self, path: str, params: dict | None = None) -> dict:
        try:
            resp = self.http.get(path, params=params, timeout=settings.TALENT["TIMEOUT"])
            resp.raise_for_status()
        except requests.RequestException as exc:
            raise TalentUnavailable(str(exc)) from exc
        return resp.json()

    def keeper(self, wallet: str) -> dict:
        key = f"talent:{wallet.lower()}"
        record = cache.get(key)
        if record is None:
            record = self._get(f"passports/{wallet}")["passport"]
            cache.set(key, record, 60 * 30)
        return record

    def search(self, keyword: str) -> Iterator[dict]:
        page = 1
        while True:
            body = self._get("passports", {"keyword": keyword, "page": page})
            yield from body["passports"]
            paging = body["pagination"]
            if paging["current_page"] >= paging["last_page"]:
                return
            page += 1

    def credentials(self, passport_id: int) -> list[dict]:
        try:
            return self._get("passport_credentials", {"passport_id": passport_id})["passport_credentials"]
        except TalentUnavailable:
            logger.exception("credentials for %s", passport_id)
            return []
