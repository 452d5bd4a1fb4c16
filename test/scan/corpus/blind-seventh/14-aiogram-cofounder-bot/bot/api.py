from __future__ import annotations

import asyncio
import logging
from typing import Any

import aiohttp
from cachetools import TTLCache

log = logging.getLogger(__name__)


class BuilderApi:
    """Thin async client. Methods answer None or an empty list when the service has nothing for us."""

    def __init__(self, url: str, key: str | None) -> None:
        self._url = url
        self._headers = {"X-API-KEY": key} if key else {}
        self._session: aiohttp.ClientSession | None = None
        self._cache: TTLCache[str, dict] = TTLCache(maxsize=2000, ttl=900)

    async def __aenter__(self) -> BuilderApi:
        self._session = aiohttp.ClientSession(self._url, headers=self._headers)
        return self

    async def __aexit__(self, *exc: Any) -> None:
        if self._session:
            await self._session.close()

    async def passport(self, ref: str) -> dict | None:
        if ref in self._cache:
            return self._cache[ref]
        try:
            async with self._session.get(f"/api/v1/passports/{ref}") as r:
                if r.status == 404:
                    return None
                r.raise_for_status()
                passport = (await r.json())["passport"]
        except (aiohttp.ClientError, asyncio.TimeoutError) as e:
            log.warning("passport %s: %s", ref, e)
            return None
        self._cache[ref] = passport
        return passport

    async def find(self, keyword: str) -> list[dict]:
        async with self._session.get("/api/v1/passports", params={"keyword": keyword}) as r:
            body = await r.json()
        return body.get("passports") or []

    async def credentials(self, passport_id: int) -> list[dict]:
        async with self._session.get("/api/v1/passport_credentials", params={"passport_id": passport_id}, raise_for_status=True) as r:
            return (await r.json())["passport_credentials"]
