import discord

COLORS = {True: discord.Color.green(), False: discord.Color.greyple()}


def passport_embed(passport: dict) -> discord.Embed:
    profile = passport.get("passport_profile") or {}
    embed = discord.Embed(
        title=profile.get("display_name") or "Anonymous builder",
        description=profile.get("bio", ""),
        color=COLORS[bool(passport["human_checkmark"])],
    )
    embed.add_field(name="Score", value=passport["score"])
    embed.add_field(name="Skills", value=passport["skills_score"])
    embed.add_field(name="Connections", value=passport.get("connections_count", "?"))
    for social in passport.get("passport_socials", []):
        if social["source"] == "github":
            embed.set_thumbnail(url=social["profile_image_url"])
        embed.add_field(name=social["source"], value=social.get("profile_name") or "-", inline=False)
    return embed


def leaderboard_embed(passports: list[dict]) -> discord.Embed:
    rows = []
    for rank, p in enumerate(passports, start=1):
        name = (p.get("passport_profile") or {}).get("display_name") or p["main_wallet"][:8]
        rows.append(f"`{rank:>2}` **{name}** {p['score']}")
    return discord.Embed(title="Top builders", description="\n".join(rows) or "nobody")
