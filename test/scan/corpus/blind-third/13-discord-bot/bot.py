import asyncio
import logging
import os

import aiohttp
import discord
from discord.ext import commands

from talent import TalentAPI

logging.basicConfig(level=logging.INFO)


class BuilderBot(commands.Bot):
    def __init__(self):
        intents = discord.Intents.default()
        intents.members = True
        super().__init__(command_prefix="!", intents=intents)

    async def setup_hook(self):
        self.http_session = aiohttp.ClientSession()
        self.talent = TalentAPI(self.http_session, os.environ["TALENT_API_KEY"])
        await self.load_extension("cogs.passport")
        await self.tree.sync()

    async def close(self):
        await self.http_session.close()
        await super().close()


if __name__ == "__main__":
    asyncio.run(BuilderBot().start(os.environ["DISCORD_TOKEN"]))
