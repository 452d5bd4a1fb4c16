import asyncio
import logging

import aiohttp

log = logging.getLogger(__name__)


class PassportAPI:
    def __init__(self, base_url, key=None):
        self.base_url = base_url.rstrip("/")
        self.headers = {"X-API-KEY": key} if key else {}

    async def _fetch(self, path, params=None):
        async with aiohttp.ClientSession(headers=self.headers) as s:
            async with s.get(f"{self.base_url}/api/v1{path}", params=params) as resp:
                return await resp.json(content_type=None)

    async def get_passport(self, wallet):
        try:
            return await self._fetch(f"/passports/{wallet}")
        except (aiohttp.ClientError, asyncio.TimeoutError) as e:
            log.warning("passport %s: %s", wallet, e)
            return {}

    async def get_credentials(self, wallet):
        data = await self._fetch("/passport_credentials", {"passport_id": wallet})
        return data.get("passport_credentials") or []
