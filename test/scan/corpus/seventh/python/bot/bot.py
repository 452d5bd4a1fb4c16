import os

import aiohttp
import discord

API = os.environ["PASSPORT_API_URL"]
client = discord.Client(intents=discord.Intents.default())


async def lookup(wallet):
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{API}/{wallet}") as resp:  # call: passport
            if resp.status != 200:  # hazard: status-default
                return None
            data = await resp.json()
            return data["passport"]


@client.event
async def on_message(message):
    if not message.content.startswith("!score"):
        return
    p = await lookup(message.content.split()[1])
    if p is None:
        await message.channel.send("not found")
        return
    await message.channel.send(f"{p['passport_profile']['display_name']}: {p['score']} ({p['activity_score']})")  # read: passport.passport_profile.display_name, passport.score, passport.activity_score
