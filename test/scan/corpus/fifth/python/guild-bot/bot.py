import os

import aiohttp
import discord
from discord.ext import commands

intents = discord.Intents.default()
intents.message_content = True
bot = commands.Bot(command_prefix="!", intents=intents)

API = os.environ["REP_API"].rstrip("/") + "/api/v1"


async def fetch_score(session, wallet):
    try:
        async with session.get(f"{API}/passports/{wallet}") as resp:  # call: passport
            payload = await resp.json()
            return payload["passport"]["score"]  # read: passport.score
    except Exception:  # hazard: catch-default
        return 0


@bot.command()
async def score(ctx, wallet: str):
    async with aiohttp.ClientSession(headers={"X-API-KEY": os.environ["REP_KEY"]}) as session:
        value = await fetch_score(session, wallet)
    await ctx.send(f"{ctx.author.display_name}: {value}")


@bot.command()
async def who(ctx, *, name: str):
    async with aiohttp.ClientSession() as session:
        async with session.get(API + "/passports", params={"keyword": name}) as resp:  # call: passport-list
            if resp.status != 200:
                await ctx.send("the reputation service is not answering")
                return
            people = (await resp.json())["passports"][:5]
    embed = discord.Embed(title=name)
    for person in people:
        match person:
            case {"passport_profile": {"display_name": shown, "location": place}, "score": points}:  # read: passports[].passport_profile.display_name, passports[].passport_profile.location, passports[].score
                embed.add_field(name=shown, value=f"{points} · {place}")
            case {"main_wallet": wallet}:  # read: passports[].main_wallet
                embed.add_field(name=wallet, value="?")
    await ctx.send(embed=embed)


@bot.event
async def on_member_join(member):
    channel = member.guild.system_channel
    if channel:
        await channel.send(f"Welcome {member.display_name}, show your !score")


bot.run(os.environ["DISCORD_TOKEN"])
