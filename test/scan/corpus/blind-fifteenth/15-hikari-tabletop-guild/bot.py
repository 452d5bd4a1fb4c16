import os

import aiosqlite
import arc
import hikari

from guild.services import TalentService

bot = hikari.GatewayBot(os.environ["DISCORD_TOKEN"])
client = arc.GatewayClient(bot)
client.load_extensions_from("guild/plugins")

talent = TalentService()
client.set_type_dependency(TalentService, talent)


@client.add_startup_hook
async def startup(c: arc.GatewayClient) -> None:
    await talent.start()
    c.set_type_dependency(aiosqlite.Connection, await aiosqlite.connect("guild.db"))


@client.add_shutdown_hook
async def shutdown(_: arc.GatewayClient) -> None:
    await talent.stop()


if __name__ == "__main__":
    bot.run()
