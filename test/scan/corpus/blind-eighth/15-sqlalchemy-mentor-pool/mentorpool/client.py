from __future__ import annotations

from typing import Any, Iterator

import requests
import structlog
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from .records import LinkRow, MentorRow, ProofRow

log = structlog.get_logger()


class KeyRefused(Exception):
    """401: a wrong key, or the monthly quota is used up."""


class PassportClient:
    LIST = "/api/v1/passports"
    CREDENTIALS = "/api/v1/passport_credentials"

    def __init__(self, base: str, key: str, session: requests.Session | None = None):
        self.base = base.rstrip("/")
        self.session = session or requests.Session()
        self.session.headers.update({"X-API-KEY": key, "Accept": "application/json"})
        retry = Retry(total=4, backoff_factor=1.5, status_forcelist=(429, 500, 502, 503, 504), allowed_methods=("GET",))
        self.session.mount("https://", HTTPAdapter(max_retries=retry, pool_maxsize=8))

    def _get(self, path: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        response = self.session.get(self.base + path, params=params, timeout=(5, 30))
        if response.status_code == 401:
            usage = response.headers.get("X-API-Usage-Status", "unknown")
            raise KeyRefused(f"key refused, usage {usage}")
        response.raise_for_status()
        return response.json()

    def iter_mentors(self, keyword: str | None, max_pages: int) -> Iterator[MentorRow]:
        for number in range(1, max_pages + 1):
            payload = self._get(self.LIST, {"page": number, "keyword": keyword})
            for item in payload["passports"]:
                if item["calculating_score"]:
                    log.info("skipped", passport=item["passport_id"])
                    continue
                yield MentorRow.from_api(item)
            pagination = payload.get("pagination") or {}
            if number >= pagination.get("last_page", number):
                log.info("list done", pages=number, total=pagination.get("total"))
                return

    def proofs(self, passport_id: int) -> list[ProofRow]:
        payload = self._get(self.CREDENTIALS, {"passport_id": str(passport_id)})
        return [ProofRow.from_api(item) for item in payload.get("passport_credentials", [])]

    def links(self, passport_id: int) -> list[LinkRow]:
        try:
            passport = self._get(f"{self.LIST}/{passport_id}")["passport"]
        except requests.RequestException as exc:
            log.warning("no links", passport=passport_id, error=str(exc))
            return []
        if passport.get("merged"):
            return []
        return [LinkRow.from_api(social) for social in passport["passport_socials"]]
