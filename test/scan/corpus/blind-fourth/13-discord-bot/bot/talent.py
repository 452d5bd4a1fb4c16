import logging
import os

import aiohttp

log = logging.getLogger(__name__)

API = os.environ.get("TALENT_API_URL", "https://api.talentprotocol.com/api/v1")
HEADERS = {"X-API-KEY": os.environ["TALENT_API_KEY"]}


async def _get(session: aiohttp.ClientSession, path: str, **params):
    async with session.get(f"{API}/{path}", params=params, headers=HEADERS) as resp:
        if resp.status != 200:
            log.warning("talent %s -> %s", path, resp.status)
            return None
        return await resp.json()


async def fetch_passport(session, wallet: str):
    data = await _get(session, f"passports/{wallet}")
    return data["passport"] if data else None


async def fetch_score(session, wallet: str) -> int:
    passport = await fetch_passport(session, wallet)
    if passport is None:
        return 0
    return passport.get("score", 0)


async def top_builders(session, limit: int = 10):
    data = await _get(session, "passports")
    if not data:
        return []
    return data["passports"][:limit]
