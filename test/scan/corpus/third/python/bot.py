import os
import discord
import aiohttp

API_ROOT = os.getenv("API_ROOT")


class Bot(discord.Client):
    async def passport(self, wallet):
        url = f"{API_ROOT}/api/v1/passports/{wallet}"
        async with aiohttp.ClientSession(headers={"X-API-KEY": os.getenv("KEY")}) as session:
            async with session.get(url) as r:  # call: passport
                if r.status == 200:  # hazard: status-default
                    data = await r.json()
                    return data["passport"]
                return None

    async def on_message(self, message):
        p = await self.passport(message.content)
        if p is None:
            await message.reply("nobody")
            return
        name = p["passport_profile"]["display_name"]  # read: passport.passport_profile.display_name
        await message.reply(f"{name}: {p['score']} ({'human' if p['human_checkmark'] else 'unknown'})")  # read: passport.score, passport.human_checkmark
