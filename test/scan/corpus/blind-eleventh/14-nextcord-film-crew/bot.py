import aiohttp
import nextcord
from nextcord.ext import commands

from cogs.crew import Crew
from config import Config
from services.talent import TalentClient
from services.tmdb import Tmdb

config = Config()
intents = nextcord.Intents.default()
intents.members = True


class CrewBot(commands.Bot):
    async def start(self, *args, **kwargs):
        self.talent = TalentClient(config.talent_origin, config.talent_key)
        self.web = aiohttp.ClientSession()
        self.add_cog(Crew(self, self.talent, Tmdb(self.web, config.tmdb_key)))
        await super().start(*args, **kwargs)

    async def close(self):
        await self.talent.close()
        await self.web.close()
        await super().close()


CrewBot(intents=intents, default_guild_ids=[config.guild_id]).run(config.token)
