from __future__ import annotations

import logging
from typing import Any, TypedDict

import aiohttp

log = logging.getLogger("talent")
API_ROOT = "https://api.talentprotocol.com/api/v1"


class Social(TypedDict, total=False):
    source: str
    profile_name: str
    profile_url: str
    profile_image_url: str
    follower_count: str


class Passport(TypedDict):
    passport_id: int
    score: int
    human_checkmark: bool
    passport_profile: dict[str, Any] | None
    passport_socials: list[Social]


class TalentAPI:
    def __init__(self, session: aiohttp.ClientSession, api_key: str):
        self.session = session
        self.headers = {"X-API-KEY": api_key}

    async def _get(self, path: str, **params: Any) -> dict[str, Any] | None:
        async with self.session.get(f"{API_ROOT}/{path}", headers=self.headers, params=params) as resp:
            if resp.status != 200:
                log.warning("%s -> %s", path, resp.status)
                return None
            return await resp.json()

    async def passport(self, wallet: str) -> Passport | None:
        data = await self._get(f"passports/{wallet}")
        return data["passport"] if data else None

    async def search(self, name: str) -> list[Passport]:
        data = await self._get("passports", keyword=name)
        if data is None:
            return []
        log.info("%d hits for %s", data["pagination"]["total"], name)
        return data["passports"]
