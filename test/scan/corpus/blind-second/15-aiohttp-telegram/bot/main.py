import asyncio
import os

import aiohttp
from aiogram import Bot, Dispatcher, html
from aiogram.filters import Command, CommandObject
from aiogram.types import Message

from .formatting import credential_lines
from .talent import Talent

dp = Dispatcher()


@dp.message(Command("score"))
async def score(message: Message, command: CommandObject, talent: Talent) -> None:
    if not command.args:
        await message.answer("Usage: /score <wallet>")
        return
    builder = await talent.builder(command.args.strip())
    if builder is None:
        await message.answer("No passport found.")
        return
    lines = [
        f"{html.bold(html.quote(builder.name))} {'✅' if builder.is_human else ''}",
        f"Builder score: {builder.points}" + (" (updating)" if builder.updating else ""),
        f"Followers: {builder.followers}",
    ]
    await message.answer("\n".join(lines))


@dp.message(Command("credentials"))
async def credentials(message: Message, command: CommandObject, talent: Talent) -> None:
    builder = await talent.builder((command.args or "").strip())
    points = builder.points if builder else 0
    items = await talent.credentials(builder.pid) if builder else []
    await message.answer(f"{points} points\n" + "\n".join(credential_lines(items)))


async def main() -> None:
    timeout = aiohttp.ClientTimeout(total=10)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        talent = Talent(session, os.environ["TALENT_API_KEY"])
        bot = Bot(os.environ["TELEGRAM_TOKEN"])
        await dp.start_polling(bot, talent=talent)


if __name__ == "__main__":
    asyncio.run(main())
