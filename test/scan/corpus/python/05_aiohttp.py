import asyncio
import aiohttp

BASE = "https://api.example.com"


async def fetch_passport(session, wallet):
    async with session.get(f"{BASE}/api/v1/passports/{wallet}") as resp:  # call: passport
        if resp.status == 404:  # hazard: status-default
            return None
        payload = await resp.json()
        return payload["passport"]


async def run(wallets):
    async with aiohttp.ClientSession() as session:
        holders = await asyncio.gather(*[fetch_passport(session, w) for w in wallets])
    for holder in holders:
        if holder is None:
            continue
        print(holder["main_wallet"], holder["verified_wallets"])  # read: passport.main_wallet, passport.verified_wallets[]


async def followers(wallet):
    async with aiohttp.ClientSession(base_url=BASE) as session:
        holder = await fetch_passport(session, wallet)
    return sum(s["follower_count"] for s in holder["passport_socials"])  # read: passport.passport_socials, passport.passport_socials[].follower_count; hazard: string-number
