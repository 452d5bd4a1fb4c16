import logging

import aiohttp

log = logging.getLogger("crew.talent")


class TalentError(Exception):
    pass


class TalentClient:
    def __init__(self, origin: str, key: str):
        self._http = aiohttp.ClientSession(
            origin,
            headers={"X-API-KEY": key},
            timeout=aiohttp.ClientTimeout(total=10),
        )

    async def close(self):
        await self._http.close()

    async def member(self, wallet: str) -> dict:
        async with self._http.get(f"/api/v1/passports/{wallet}") as res:
            if res.status == 401:
                raise TalentError("key refused or used up")
            if res.status >= 400:
                raise TalentError(f"{wallet}: HTTP {res.status}")
            payload = await res.json()
        return payload["passport"]

    async def find(self, keyword: str) -> list[dict]:
        async with self._http.get("/api/v1/passports", params={"keyword": keyword}) as res:
            payload = await res.json(content_type=None)
        return payload.get("passports") or []

    async def skills(self, wallet: str) -> list[dict]:
        try:
            async with self._http.get(
                "/api/v1/passport_credentials",
                params={"passport_id": wallet},
                raise_for_status=True,
            ) as res:
                payload = await res.json()
        except aiohttp.ClientError as exc:
            log.warning("skills of %s: %s", wallet, exc)
            return []
        return [c for c in payload["passport_credentials"] if c["category"] == "Skills"]
