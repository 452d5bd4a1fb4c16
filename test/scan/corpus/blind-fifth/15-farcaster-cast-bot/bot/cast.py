import aiohttp

from .settings import settings

NEYNAR = "https://api.neynar.com/v2/farcaster"


async def publish(session: aiohttp.ClientSession, text: str) -> str:
    async with session.post(
        f"{NEYNAR}/cast",
        json={"signer_uuid": settings.signer_uuid, "text": text, "channel_id": settings.channel},
        headers={"x-api-key": settings.neynar_key},
    ) as resp:
        resp.raise_for_status()
        body = await resp.json()
        return body["cast"]["hash"]


async def user_score(session: aiohttp.ClientSession, username: str) -> float:
    """Neynar's own quality score; low scores are not mentioned in casts."""
    async with session.get(
        f"{NEYNAR}/user/by_username", params={"username": username}, headers={"x-api-key": settings.neynar_key}
    ) as resp:
        if resp.status != 200:
            return 0.0
        user = (await resp.json())["user"]
        return user["experimental"]["neynar_user_score"] if user["follower_count"] > 10 else 0.0
