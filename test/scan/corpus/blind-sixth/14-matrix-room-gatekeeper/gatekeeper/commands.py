from .matrix import Matrix
from .passports import PassportApi
from .store import Store

HELP = "!link <wallet>, !who <name>, !me, !top"
COMMANDS = {}


def command(name):
    def deco(fn):
        COMMANDS[name] = fn
        return fn

    return deco


class Ctx:
    def __init__(self, matrix: Matrix, api: PassportApi, store: Store, rooms: dict, room: str, sender: str):
        self.matrix, self.api, self.store, self.rooms = matrix, api, store, rooms
        self.room, self.sender = room, sender

    async def reply(self, text: str):
        await self.matrix.say(self.room, text)


@command("link")
async def link(ctx: Ctx, wallet: str):
    passport = await ctx.api.get(wallet)
    if not passport:
        return await ctx.reply("I know no passport for that wallet.")
    if wallet.lower() not in map(str.lower, passport.get("verified_wallets", [])):
        return await ctx.reply("That wallet is not verified.")

    await ctx.store.link(ctx.sender, wallet, passport)
    opened = []
    for room, rule in ctx.rooms.items():
        if await allowed(ctx.api, passport, rule):
            await ctx.matrix.invite(room, ctx.sender)
            opened.append(room)
    score, busy = passport.get("score", 0), passport.get("calculating_score")
    tail = " (still being calculated)" if busy else ""
    await ctx.reply(f"Linked. Score {score}{tail}, {len(opened)} rooms opened.")


async def allowed(api: PassportApi, passport: dict, rule: dict) -> bool:
    if not passport.get("human_checkmark"):
        return False
    if passport.get("score", 0) < rule["min_score"]:
        return False
    need = rule.get("need")
    return not need or await api.has_credential(passport["passport_id"], need)


@command("who")
async def who(ctx: Ctx, *words: str):
    lines = []
    for p in (await ctx.api.find(" ".join(words)))[:5]:
        match p:
            case {"passport_profile": {"display_name": str(name), "location": place}, "score": score}:
                lines.append(f"{name} ({place or 'somewhere'}): {score}")
            case {"main_wallet": wallet}:
                lines.append(f"{wallet}: nameless")
    await ctx.reply("\n".join(lines) or "nobody")


@command("me")
async def me(ctx: Ctx):
    links = {row["mxid"]: row for row in await ctx.store.all_links()}
    row = links.get(ctx.sender)
    if row is None:
        return await ctx.reply("Not linked yet. " + HELP)
    passport = await ctx.api.get(row["wallet"])
    profile = passport.get("passport_profile") or {}
    socials = ", ".join(f"{s['source']}: {s['profile_url']}" for s in passport.get("passport_socials", []))
    name = profile.get("display_name") or await ctx.matrix.display_name(ctx.sender)
    await ctx.reply(f"{name}\n{profile.get('bio', '')}\n{socials}")


@command("top")
async def top(ctx: Ctx):
    rows = await ctx.store.all_links()
    await ctx.reply("\n".join(f"{i}. {r['mxid']} {r['score']:.0f}" for i, r in enumerate(rows[:10], 1)))
