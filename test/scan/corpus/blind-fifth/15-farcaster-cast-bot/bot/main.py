import asyncio
import json
import logging
from pathlib import Path

import aiohttp

from .cast import publish, user_score
from .settings import settings
from .talent import Builder, Talent


def load_state() -> dict[str, int]:
    path = Path(settings.state_file)
    return json.loads(path.read_text()) if path.exists() else {}


def crossed(builder: Builder, state: dict[str, int]) -> bool:
    before = state.get(str(builder.id), builder.score)
    return before // settings.milestone < builder.score // settings.milestone


def compose(builder: Builder, mention: bool) -> str:
    who = f"@{builder.farcaster}" if mention and builder.farcaster else builder.name
    lines = [f"🎉 {who} just reached a builder score of {builder.score}!"]
    lines += [f"• {h}" for h in builder.highlights]
    return "\n".join(lines)


async def main() -> None:
    logging.basicConfig(level=logging.INFO)
    state = load_state()
    async with aiohttp.ClientSession() as session:
        talent = Talent(session)
        ids = await talent.newest(settings.channel)
        for builder in await talent.builders(ids):
            if crossed(builder, state):
                quality = await user_score(session, builder.farcaster) if builder.farcaster else 0.0
                await publish(session, compose(builder, mention=quality > 0.5))
            state[str(builder.id)] = builder.score
    Path(settings.state_file).write_text(json.dumps(state))


if __name__ == "__main__":
    asyncio.run(main())
