from typing import Any

import aiohttp
from yarl import URL


class TalentError(RuntimeError):
    pass


class TalentApi:
    def __init__(self, host: str, key: str) -> None:
        self._base = URL.build(scheme="https", host=host, path="/api/v1")
        self._headers = {"X-API-KEY": key}

    async def _json(self, url: URL) -> dict[str, Any]:
        async with aiohttp.ClientSession(headers=self._headers) as session:
            async with session.get(url, timeout=aiohttp.ClientTimeout(total=10)) as resp:
                if resp.status != 200:
                    raise TalentError(f"{url.path} answered {resp.status}")
                return await resp.json()

    async def builder(self, wallet: str) -> dict[str, Any] | None:
        try:
            data = await self._json(self._base / "passports" / wallet)
        except (TalentError, aiohttp.ClientError):
            return None
        return data["passport"]

    async def badges(self, wallet: str) -> list[dict[str, Any]]:
        url = (self._base / "passport_credentials").with_query(passport_id=wallet)
        data = await self._json(url)
        return data["passport_credentials"]

    async def top(self, size: int) -> list[tuple[str, int]]:
        data = await self._json(self._base / "passports")
        return [
            (p["passport_profile"]["display_name"] or p["main_wallet"][:8], p["score"])
            for p in data["passports"][:size]
        ]
