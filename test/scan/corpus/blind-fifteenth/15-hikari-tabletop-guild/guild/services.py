from __future__ import annotations

import logging
import os

import aiohttp
import msgspec

from .types import DndMonster, Player, PlayerEnvelope, Roster

log = logging.getLogger("guild.services")


class TalentService:
    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    async def start(self) -> None:
        self._session = aiohttp.ClientSession(
            base_url=os.environ.get("TALENT_ORIGIN", "https://api.talentprotocol.com"),
            headers={"X-API-KEY": os.environ["TALENT_TOKEN"]},
            timeout=aiohttp.ClientTimeout(total=8),
        )

    async def stop(self) -> None:
        if self._session:
            await self._session.close()

    async def _get(self, path: str, type_, **params):
        assert self._session is not None
        async with self._session.get(path, params=params) as resp:
            if resp.status != 200:
                log.warning("GET %s gave %s", path, resp.status)
                return None
            return msgspec.json.decode(await resp.read(), type=type_)

    async def player(self, wallet: str) -> Player | None:
        env = await self._get(f"/api/v1/passports/{wallet}", PlayerEnvelope)
        return env.passport if env else None

    async def search(self, text: str) -> list[Player]:
        roster = await self._get("/api/v1/passports", Roster, keyword=text)
        return roster.passports if roster else []


async def monster(slug: str) -> DndMonster:
    async with aiohttp.ClientSession() as s, s.get(f"https://www.dnd5eapi.co/api/monsters/{slug}") as r:
        r.raise_for_status()
        return msgspec.json.decode(await r.read(), type=DndMonster)
