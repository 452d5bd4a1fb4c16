"""Talent Protocol passport lookups."""
from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import dataclass

import aiohttp
from aiocache import cached

log = logging.getLogger("talent")

HOST = os.environ.get("TALENT_HOST", "https://passport-api.talentprotocol.com")
PASSPORT_URL = HOST + "/api/v1/passports/{}"
CREDENTIALS_URL = HOST + "/api/v1/passport_credentials"


@dataclass
class Builder:
    pid: int
    name: str
    points: int
    is_human: bool
    updating: bool
    followers: int

    @classmethod
    def from_api(cls, data: dict) -> "Builder":
        profile = data.get("passport_profile") or {}
        socials = data.get("passport_socials") or []
        return cls(
            pid=data["passport_id"],
            name=profile.get("display_name") or "anon",
            points=int(data.get("score") or 0),
            is_human=data.get("human_checkmark", False),
            updating=bool(data.get("calculating_score")),
            followers=sum(int(s.get("follower_count") or 0) for s in socials),
        )


class Talent:
    def __init__(self, session: aiohttp.ClientSession, key: str):
        self.session = session
        self.headers = {"X-API-KEY": key}

    @cached(ttl=300, key_builder=lambda f, self, wallet: f"builder:{wallet}")
    async def builder(self, wallet: str) -> Builder | None:
        try:
            async with self.session.get(PASSPORT_URL.format(wallet), headers=self.headers) as resp:
                if resp.status != 200:
                    log.warning("%s: %s", wallet, resp.status)
                    return None
                payload = await resp.json()
        except (aiohttp.ClientError, asyncio.TimeoutError) as exc:
            log.error("talent is not reachable: %r", exc)
            return None
        return Builder.from_api(payload["passport"])

    async def credentials(self, pid: int) -> list[dict]:
        params = {"passport_id": str(pid)}
        async with self.session.get(CREDENTIALS_URL, params=params, headers=self.headers) as resp:
            payload = await resp.json()
        return payload.get("passport_credentials") or []
