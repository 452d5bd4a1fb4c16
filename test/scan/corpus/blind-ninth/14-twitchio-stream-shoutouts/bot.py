import asyncio
import logging

from twitchio.ext import commands, routines

import config
from helix import Helix
from lines import shoutout, standing, streak
from talent import TalentApi, TalentError
from viewers import Viewers

logging.basicConfig(level=logging.INFO)
log = logging.getLogger("shoutouts")


class Shoutouts(commands.Bot):
    def __init__(self) -> None:
        super().__init__(token=config.TWITCH_TOKEN, prefix="!", initial_channels=[config.CHANNEL])
        self.viewers = Viewers(config.VIEWERS_FILE)
        self.talent = TalentApi(config.TALENT_HOST, config.TALENT_KEY)
        self.helix = Helix(config.TWITCH_CLIENT_ID, config.TWITCH_TOKEN)

    async def event_ready(self) -> None:
        log.info("joined as %s", self.nick)
        self.weekly_board.start()

    async def event_message(self, message) -> None:
        if message.echo:
            return
        await self.handle_commands(message)
        if message.first and (wallet := self.viewers.wallet(message.author.name)):
            builder = await self.talent.builder(wallet)
            if builder and builder["human_checkmark"]:
                await message.channel.send(shoutout(message.author.name, builder))

    @commands.command()
    async def link(self, ctx: commands.Context, wallet: str) -> None:
        self.viewers.link(ctx.author.name, wallet)
        await ctx.reply("linked, thanks!")

    @commands.command(aliases=["rep"])
    async def score(self, ctx: commands.Context, name: str | None = None) -> None:
        viewer = (name or ctx.author.name).lstrip("@").lower()
        wallet = self.viewers.wallet(viewer)
        if wallet is None:
            await ctx.reply("no wallet linked, use !link 0x…")
            return
        builder, follows = await asyncio.gather(self.talent.builder(wallet), self.helix.followers(viewer))
        await ctx.reply(standing(builder, follows["total"]))

    @commands.command()
    async def badges(self, ctx: commands.Context) -> None:
        wallet = self.viewers.wallet(ctx.author.name)
        badges = await self.talent.badges(wallet) if wallet else []
        await ctx.reply(streak(badges))

    @routines.routine(hours=24 * 7)
    async def weekly_board(self) -> None:
        try:
            top = await self.talent.top(5)
        except TalentError as error:
            log.error("no board this week: %s", error)
            return
        channel = self.get_channel(config.CHANNEL)
        for place, (name, score) in enumerate(top, start=1):
            await channel.send(f"{place}. {name} ({score})")


if __name__ == "__main__":
    Shoutouts().run()
