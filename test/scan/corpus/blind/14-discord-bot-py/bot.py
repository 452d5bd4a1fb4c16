import logging
import os

import discord
from discord.ext import commands

from levels import level_for
from passport_api import PassportAPI

log = logging.getLogger("bot")
intents = discord.Intents.default()
intents.members = True
bot = commands.Bot(command_prefix="!", intents=intents)
api = PassportAPI(os.environ["PASSPORT_URL"], os.getenv("PASSPORT_KEY"))


@bot.event
async def on_ready():
    log.info("logged in as %s", bot.user)


@bot.command()
async def verify(ctx, wallet: str):
    data = await api.get_passport(wallet)
    passport = data.get("passport", {})
    score = passport.get("score", 0)
    if passport.get("calculating_score"):
        await ctx.send("Your score is being calculated, try again later")
        return
    role_name = level_for(score)
    role = discord.utils.get(ctx.guild.roles, name=role_name)
    if role:
        await ctx.author.add_roles(role)
    name = passport.get("passport_profile", {}).get("display_name") or ctx.author.display_name
    await ctx.send(f"{name}: {score} points, you are now **{role_name}**")


@bot.command()
async def skills(ctx, wallet: str):
    creds = await api.get_credentials(wallet)
    if not creds:
        await ctx.send("No credentials")
        return
    embed = discord.Embed(title="Credentials")
    for c in sorted(creds, key=lambda c: -c["score"])[:10]:
        embed.add_field(name=c["name"], value=c.get("value") or "-", inline=True)
    total = sum(c["score"] for c in creds if c["category"] == "Skills")
    embed.set_footer(text=f"skills total {total}")
    await ctx.send(embed=embed)


if __name__ == "__main__":
    bot.run(os.environ["DISCORD_TOKEN"])
