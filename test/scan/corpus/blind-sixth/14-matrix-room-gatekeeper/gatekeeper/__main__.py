import asyncio
import logging
import sys

import aiohttp
import yaml

from .commands import COMMANDS, HELP, Ctx
from .matrix import Matrix
from .passports import PassportApi
from .store import Store


async def run(conf: dict) -> None:
    store = Store(conf.get("database", "gate.db"))
    await store.setup()
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=45)) as session:
        matrix = Matrix(session, conf["homeserver"], conf["access_token"])
        api = PassportApi(session, conf["passports"]["url"], conf["passports"].get("key"))
        while True:
            data = await matrix.sync()
            for room, content in data.get("rooms", {}).get("join", {}).items():
                for event in content["timeline"]["events"]:
                    if event["type"] != "m.room.message" or event["sender"] == conf["user_id"]:
                        continue
                    body = event["content"].get("body", "")
                    if not body.startswith("!"):
                        continue
                    name, *args = body[1:].split() or ["help"]
                    ctx = Ctx(matrix, api, store, conf["rooms"], room, event["sender"])
                    handler = COMMANDS.get(name)
                    if handler is None:
                        await ctx.reply(HELP)
                        continue
                    try:
                        await handler(ctx, *args)
                    except TypeError:
                        await ctx.reply(HELP)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    with open(sys.argv[1] if len(sys.argv) > 1 else "config.yaml") as fh:
        asyncio.run(run(yaml.safe_load(fh)))
