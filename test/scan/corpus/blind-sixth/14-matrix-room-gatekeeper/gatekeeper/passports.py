from __future__ import annotations

import asyncio
import logging

import aiohttp

log = logging.getLogger("passports")


class PassportApi:
    def __init__(self, session: aiohttp.ClientSession, url: str, key: str | None):
        self.session = session
        self.url = url.rstrip("/")
        self.headers = {"X-API-KEY": key} if key else {}

    async def request(self, resource: str, **query) -> dict | None:
        """None when the service does not answer properly."""
        for attempt in range(3):
            try:
                async with self.session.get(f"{self.url}/{resource}", params=query, headers=self.headers) as r:
                    if r.status == 200:
                        return await r.json()
                    log.info("%s -> %s", resource, r.status)
                    if r.status in (401, 404):
                        return None
            except (aiohttp.ClientError, asyncio.TimeoutError):
                log.exception("request failed")
            await asyncio.sleep(2**attempt)
        return None

    async def get(self, wallet: str) -> dict:
        data = await self.request(f"passports/{wallet}") or {}
        return data.get("passport", {})

    async def find(self, name: str) -> list[dict]:
        data = await self.request("passports", keyword=name)
        if not data:
            return []
        if data["pagination"]["total"] > 50:
            log.info("%r is not a very selective name", name)
        return data["passports"]

    async def has_credential(self, passport_id: int, kind: str) -> bool:
        data = await self.request("passport_credentials", passport_id=passport_id)
        if data is None:
            return False
        return any(c["type"] == kind and float(c["score"] or 0) > 0 for c in data["passport_credentials"])
