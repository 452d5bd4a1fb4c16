import asyncio

import aiosqlite
import arc
import hikari

from ..ranks import party_score, rank_of
from ..services import TalentService, monster

plugin = arc.GatewayPlugin("players")


def sheet(player) -> hikari.Embed:
    embed = hikari.Embed(title=player.name, description=player.passport_profile.bio or "A stranger.")
    embed.add_field("Rank", rank_of(player), inline=True)
    embed.add_field("Score", "…" if player.calculating_score else f"{player.score:.0f}", inline=True)
    for social in player.passport_socials:
        if social.profile_url:
            embed.add_field(social.source, f"[{social.profile_name}]({social.profile_url})")
    if url := player.avatar():
        embed.set_thumbnail(url)
    return embed


@plugin.include
@arc.slash_command("sheet", "Character sheet of a wallet")
async def sheet_command(
    ctx: arc.GatewayContext,
    wallet: arc.Option[str, arc.StrParams("0x…")],
    talent: TalentService = arc.inject(),
) -> None:
    player = await talent.player(wallet)
    if player is None:
        await ctx.respond("Nobody of that name drinks in this tavern.", flags=hikari.MessageFlag.EPHEMERAL)
        return
    await ctx.respond(embed=sheet(player))


@plugin.include
@arc.slash_command("encounter", "Can the party take it on?")
async def encounter(
    ctx: arc.GatewayContext,
    slug: arc.Option[str, arc.StrParams("monster")],
    talent: TalentService = arc.inject(),
    db: aiosqlite.Connection = arc.inject(),
) -> None:
    rows = await db.execute_fetchall("SELECT wallet FROM party WHERE guild = ?", (ctx.guild_id,))
    found = await asyncio.gather(*(talent.player(w) for (w,) in rows))
    party = [p for p in found if p]
    beast = await monster(slug)
    odds = party_score(party) / max(beast.challenge_rating * 10, 1)
    await ctx.respond(f"{len(party)} heroes against {beast.name} ({beast.hit_points} HP): odds {odds:.1f}")


@plugin.include
@arc.slash_command("recruit", "Players who list a skill")
async def recruit(
    ctx: arc.GatewayContext,
    text: arc.Option[str, arc.StrParams("keyword")],
    talent: TalentService = arc.inject(),
) -> None:
    hits = await talent.search(text)
    hits.sort(key=lambda h: h.score, reverse=True)
    lines = [f"**{h.name}** {rank_of(h)}: {', '.join(h.passport_profile.tags[:4])}" for h in hits[:10]]
    await ctx.respond("\n".join(lines) or "No takers.")


@arc.loader
def load(client: arc.GatewayClient) -> None:
    client.add_plugin(plugin)
