import asyncio
import logging
import os

import aiohttp
from aiogram import Bot, Dispatcher, types
from aiogram.filters import Command

API = os.getenv("SCOUT_API", "https://passports.example")
log = logging.getLogger("scout")
dp = Dispatcher()


async def search(session, keyword):
    async with session.get(f"{API}/api/v1/passports", params={"keyword": keyword}) as resp:  # call: passport-list
        resp.raise_for_status()
        payload = await resp.json()
    return payload["passports"], payload["pagination"]["total"]  # read: pagination.total


async def credentials(session, passport_id):
    url = f"{API}/api/v1/passport_credentials?passport_id={passport_id}"
    try:
        async with session.get(url) as resp:  # call: passport-credentials
            return (await resp.json())["passport_credentials"]
    except (aiohttp.ClientError, KeyError, ValueError):  # hazard: catch-default
        return []


async def weather(session, location):
    async with session.get("https://weather.example/v1/current", params={"q": location}) as resp:
        body = await resp.json()
    return body.get("value", 0), body["location"]


def render(passport, items):
    profile = passport.get("passport_profile") or {}  # read: passports[].passport_profile; hazard: fallback-default
    title = f"{profile.get('display_name')} from {profile.get('location')}"  # read: passports[].passport_profile.display_name, passports[].passport_profile.location
    mark = "yes" if passport["human_checkmark"] else "no"  # read: passports[].human_checkmark
    lines = [title, f"human: {mark}", f"score: {passport['score']}"]  # read: passports[].score
    for item in items[:5]:
        lines.append(f"- {item['name']}: {item['score']}/{item['max_score']}")  # read: passport_credentials[].name, passport_credentials[].score, passport_credentials[].max_score
    return "\n".join(lines)


@dp.message(Command("scout"))
async def scout(message: types.Message):
    _, _, keyword = message.text.partition(" ")
    async with aiohttp.ClientSession(headers={"X-API-KEY": os.environ["SCOUT_KEY"]}) as session:
        passports, total = await search(session, keyword)
        if not passports:
            await message.answer("nobody found")
            return
        best = max(passports, key=lambda p: p["score"])  # read: passports[].score
        items = await credentials(session, best["passport_id"])  # read: passports[].passport_id
    await message.answer(f"{total} found\n{render(best, items)}")


async def main():
    bot = Bot(token=os.environ["TELEGRAM_TOKEN"])
    await dp.start_polling(bot)


if __name__ == "__main__":
    asyncio.run(main())
