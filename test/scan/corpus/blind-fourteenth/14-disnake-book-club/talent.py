import asyncio
import logging

import aiohttp

log = logging.getLogger("talent")

API = "https://api.talentprotocol.com/api/v1"


class Talent:
    def __init__(self, session: aiohttp.ClientSession, token: str):
        self.session = session
        self.headers = {"X-API-KEY": token}

    async def _request(self, url: str, **params):
        try:
            async with self.session.get(url, headers=self.headers, params=params) as resp:
                if resp.status == 404:
                    return None
                resp.raise_for_status()
                return await resp.json()
        except (aiohttp.ClientError, asyncio.TimeoutError):
            log.exception("request to %s failed", url)
            return None

    async def passport(self, wallet: str) -> dict | None:
        data = await self._request(f"{API}/passports/{wallet}")
        return data["passport"] if data else None

    async def credentials(self, passport_id: int) -> list[dict]:
        data = await self._request(f"{API}/passport_credentials", passport_id=passport_id)
        return (data or {}).get("passport_credentials", [])
