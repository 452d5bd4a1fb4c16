import asyncio
import logging
from dataclasses import dataclass, field

import aiohttp

from .settings import settings

log = logging.getLogger("talent")


@dataclass
class Builder:
    id: int
    name: str
    score: int
    farcaster: str | None = None
    followers: int = 0
    highlights: list[str] = field(default_factory=list)


class Talent:
    def __init__(self, session: aiohttp.ClientSession):
        self.session = session
        self.gate = asyncio.Semaphore(4)

    async def _json(self, path: str, params: dict | None = None) -> dict | None:
        async with self.gate:
            try:
                async with self.session.get(
                    settings.talent_url + path,
                    params=params,
                    headers={"X-API-KEY": settings.talent_key},
                    timeout=aiohttp.ClientTimeout(total=10),
                ) as resp:
                    if resp.status != 200:
                        log.warning("%s -> %s", path, resp.status)
                        return None
                    return await resp.json()
            except (aiohttp.ClientError, asyncio.TimeoutError):
                log.exception("%s failed", path)
                return None

    async def newest(self, keyword: str) -> list[int]:
        data = await self._json("/passports", {"keyword": keyword})
        if not data:
            return []
        return [p["passport_id"] for p in data["passports"] if not p["calculating_score"]]

    async def highlights(self, passport_id: int) -> list[str]:
        data = await self._json("/passport_credentials", {"passport_id": passport_id}) or {}
        credentials = data.get("passport_credentials", [])
        best = sorted(credentials, key=lambda c: c["score"], reverse=True)[:3]
        return [f"{c['name']}: {c['value']}" if c.get("value") else c["name"] for c in best]

    async def builder(self, passport_id: int) -> Builder | None:
        data = await self._json(f"/passports/{passport_id}")
        if data is None:
            return None
        p = data["passport"]
        if p["merged"]:
            return None
        builder = Builder(
            id=p["passport_id"],
            name=p["passport_profile"].get("display_name") or "Someone",
            score=p["score"],
        )
        for social in p.get("passport_socials", []):
            if social["source"] == "farcaster":
                builder.farcaster = social["profile_name"]
                builder.followers = int(social["follower_count"])
        builder.highlights = await self.highlights(p["passport_id"])
        return builder

    async def builders(self, ids: list[int]) -> list[Builder]:
        found = await asyncio.gather(*(self.builder(i) for i in ids))
        return [b for b in found if b]
