import asyncio
import logging

from aiogram import Bot, Dispatcher
from aiogram.client.default import DefaultBotProperties
from environs import Env

from .api import BuilderApi
from .routers import lookup, matching

env = Env()
env.read_env()


async def main() -> None:
    logging.basicConfig(level=logging.INFO)
    bot = Bot(env.str("BOT_TOKEN"), default=DefaultBotProperties(parse_mode="HTML"))
    dp = Dispatcher()
    dp.include_routers(lookup.router, matching.router)

    async with BuilderApi(env.str("TALENT_URL", "https://api.talentprotocol.com"), env.str("TALENT_KEY", None)) as api:
        await dp.start_polling(bot, api=api)


if __name__ == "__main__":
    asyncio.run(main())
