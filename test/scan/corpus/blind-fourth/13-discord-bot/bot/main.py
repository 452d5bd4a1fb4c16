import os

import aiohttp
import discord
from discord import app_commands
from discord.ext import tasks

from . import talent
from .embeds import leaderboard_embed, passport_embed

ROLE_ID = int(os.environ["BUILDER_ROLE_ID"])
MIN_SCORE = 50


class BuilderBot(discord.Client):
    def __init__(self):
        super().__init__(intents=discord.Intents.default())
        self.tree = app_commands.CommandTree(self)
        self.linked: dict[int, str] = {}

    async def setup_hook(self):
        self.session = aiohttp.ClientSession()
        self.refresh_roles.start()
        await self.tree.sync()

    @tasks.loop(hours=6)
    async def refresh_roles(self):
        guild = self.guilds[0]
        role = guild.get_role(ROLE_ID)
        for member_id, wallet in self.linked.items():
            member = await guild.fetch_member(member_id)
            score = await talent.fetch_score(self.session, wallet)
            if score >= MIN_SCORE:
                await member.add_roles(role)
            else:
                await member.remove_roles(role)


bot = BuilderBot()


@bot.tree.command(name="passport")
async def passport_cmd(interaction: discord.Interaction, wallet: str):
    await interaction.response.defer()
    passport = await talent.fetch_passport(bot.session, wallet)
    if not passport:
        await interaction.followup.send("No passport found.")
        return
    if wallet.lower() in [w.lower() for w in passport["verified_wallets"]]:
        bot.linked[interaction.user.id] = wallet
    await interaction.followup.send(embed=passport_embed(passport))


@bot.tree.command(name="leaderboard")
async def leaderboard_cmd(interaction: discord.Interaction):
    passports = await talent.top_builders(bot.session)
    await interaction.response.send_message(embed=leaderboard_embed(passports))


bot.run(os.environ["DISCORD_TOKEN"])
