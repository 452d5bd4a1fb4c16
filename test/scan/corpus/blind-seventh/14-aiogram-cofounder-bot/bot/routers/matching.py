from operator import itemgetter

from aiogram import Router
from aiogram.filters import Command, CommandObject
from aiogram.types import Message

from ..api import BuilderApi
from ..texts import headline

router = Router(name="matching")


async def fit(api: BuilderApi, mine: dict, other: dict) -> float:
    """Somebody is a good co-founder when strong where I am weak."""
    fit = abs(mine["skills_score"] - other["skills_score"])
    if mine["passport_profile"]["location"] == other["passport_profile"]["location"]:
        fit += 10
    try:
        types = {c["type"] for c in await api.credentials(other["passport_id"])}
    except Exception:
        types = set()
    if "github" in types:
        fit += 5
    return fit


@router.message(Command("match"))
async def match(message: Message, command: CommandObject, api: BuilderApi) -> None:
    try:
        wallet, tag = (command.args or "").split()
    except ValueError:
        await message.reply("/match &lt;wallet&gt; &lt;tag&gt;")
        return
    mine = await api.passport(wallet)
    if not mine:
        await message.reply("No passport for that wallet.")
        return

    candidates = [
        p
        for p in await api.find(tag)
        if p["passport_id"] != mine["passport_id"] and tag in (p["passport_profile"]["tags"] or [])
    ]
    ranked = [(await fit(api, mine, p), p) for p in candidates[:8]]
    ranked.sort(key=itemgetter(0), reverse=True)
    if not ranked:
        await message.answer("Nobody fits yet.")
        return
    await message.answer("\n".join(f"{points:.0f} {headline(p)}" for points, p in ranked))
