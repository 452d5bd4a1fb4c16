from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterator

import requests


class ReputationError(RuntimeError):
    pass


@dataclass
class Person:
    passport_id: int
    score: float
    name: str
    wallets: list[str] = field(default_factory=list)

    @property
    def level(self) -> int:
        return 1 + int(self.score // 25)


class Client:
    PREFIX = "/api/v1"

    def __init__(self, base_url: str, key: str | None = None) -> None:
        self._base = base_url.rstrip("/")
        self._http = requests.Session()
        if key:
            self._http.headers["X-API-KEY"] = key

    def _get(self, path: str, **params: Any) -> dict[str, Any]:
        resp = self._http.get(self._base + self.PREFIX + path, params=params, timeout=10)
        if not resp.ok:
            raise ReputationError(f"{path}: {resp.status_code}")
        return resp.json()

    @staticmethod
    def _person(raw: dict[str, Any]) -> Person:
        return Person(
            passport_id=raw["passport_id"],  # read: passport.passport_id
            score=raw.get("score") or 0.0,  # read: passport.score; hazard: fallback-default
            name=raw["passport_profile"]["display_name"] or "",  # read: passport.passport_profile.display_name
            wallets=raw["verified_wallets"],  # read: passport.verified_wallets[]
        )

    def person(self, ident: int | str) -> Person:
        return self._person(self._get(f"/passports/{ident}")["passport"])  # call: passport

    def credential_types(self, passport_id: int) -> set[str]:
        body = self._get("/passport_credentials", passport_id=passport_id)  # call: passport-credentials
        return {c["type"] for c in body["passport_credentials"]}  # read: passport_credentials[].type

    def ids(self, keyword: str) -> Iterator[int]:
        page, last = 1, 1
        while page <= last:
            body = self._get("/passports", keyword=keyword, page=page)  # call: passport-list
            last = body["pagination"]["last_page"]  # read: pagination.last_page
            yield from (p["passport_id"] for p in body["passports"])  # read: passports[].passport_id
            page += 1
