import aiohttp

API = "https://rep.example.org/api/v1"
TELEGRAM = "https://telegram.example.org/bot"


async def cmd_score(wallet: str) -> str:
    async with aiohttp.ClientSession(headers={"X-API-KEY": "k"}) as session:
        async with session.get(API + "/passports/" + wallet) as resp:  # call: passport
            if resp.status != 200:  # hazard: status-default
                return "0"
            body = await resp.json()
    passport = body.get("passport", {})  # hazard: fallback-default
    profile = passport.get("passport_profile") or {}  # read: passport.passport_profile; hazard: fallback-default
    return f"{profile.get('display_name', wallet)}: {passport.get('score')}"  # read: passport.passport_profile.display_name, passport.score


async def cmd_wallets(wallet: str):
    async with aiohttp.ClientSession() as session:
        resp = await session.get(f"{API}/passports/{wallet}")  # call: passport
        passport = (await resp.json())["passport"]
        return [passport["main_wallet"], *passport["verified_wallets"]]  # read: passport.main_wallet, passport.verified_wallets[]


async def chat_member(chat, user):
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{TELEGRAM}/getChatMember?chat={chat}&user={user}") as resp:
            member = await resp.json()
    return member["display_name"], member["score"], member["main_wallet"]
