import logging
import os

import aiohttp
import disnake
from disnake.ext import commands

from store import Store
from talent import Talent

logging.basicConfig(level=logging.INFO)


class BookClub(commands.InteractionBot):
    def __init__(self):
        intents = disnake.Intents.default()
        intents.members = True
        super().__init__(intents=intents, test_guilds=[int(g) for g in os.getenv("GUILDS", "").split(",") if g])
        self.store = Store(os.getenv("DB_PATH", "club.db"))
        self.http_session: aiohttp.ClientSession | None = None
        self.talent: Talent | None = None

    async def start(self, *args, **kwargs):
        self.http_session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15))
        self.talent = Talent(self.http_session, os.environ["TALENT_TOKEN"])
        await super().start(*args, **kwargs)

    async def close(self):
        if self.http_session:
            await self.http_session.close()
        await super().close()


if __name__ == "__main__":
    bot = BookClub()
    bot.load_extension("cogs.members")
    bot.load_extension("cogs.books")
    bot.run(os.environ["DISCORD_TOKEN"])
