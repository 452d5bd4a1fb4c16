from collections import Counter

import disnake
from disnake.ext import commands

ROLE_STEPS = [(90, "Curator"), (50, "Reviewer"), (0, "Reader")]


def social_lines(socials):
    for s in socials:
        name = s.get("profile_name")
        if not name:
            continue
        followers = int(s.get("follower_count") or 0)
        yield f"**{s['source']}** {name} ({followers:,})"


def role_for(score: int) -> str:
    return next(name for floor, name in ROLE_STEPS if score >= floor)


class Members(commands.Cog):
    def __init__(self, bot):
        self.bot = bot

    @commands.slash_command(description="Link your wallet")
    async def link(self, inter: disnake.ApplicationCommandInteraction, wallet: str):
        await inter.response.defer(ephemeral=True)
        passport = await self.bot.talent.passport(wallet)
        if passport is None:
            await inter.edit_original_response("No passport for that wallet.")
            return
        score = passport.get("score", 0)
        name = passport.get("passport_profile", {}).get("display_name") or inter.author.display_name
        self.bot.store.save(inter.author.id, wallet, score, name)
        role = disnake.utils.get(inter.guild.roles, name=role_for(score))
        if role:
            await inter.author.add_roles(role)
        await inter.edit_original_response(f"Linked. Your role is {role_for(score)}.")

    @commands.slash_command(description="Show a member")
    async def whois(self, inter: disnake.ApplicationCommandInteraction, member: disnake.Member):
        await inter.response.defer()
        wallet = self.bot.store.wallet_of(member.id)
        passport = await self.bot.talent.passport(wallet) if wallet else None
        if not passport:
            await inter.edit_original_response(f"{member.display_name} has no linked passport.")
            return

        profile = passport["passport_profile"]
        embed = disnake.Embed(title=profile["display_name"], description=profile["bio"])
        embed.add_field("Score", passport["score"])
        embed.add_field("Human", "yes" if passport["human_checkmark"] else "no")
        if passport["passport_socials"]:
            embed.add_field("Socials", "\n".join(social_lines(passport["passport_socials"])), inline=False)

        creds = await self.bot.talent.credentials(passport["passport_id"])
        counts = Counter(c["category"] for c in creds)
        if counts:
            embed.set_footer(text=", ".join(f"{k}: {v}" for k, v in counts.most_common()))
        await inter.edit_original_response(embed=embed)

    @commands.slash_command(description="Top members")
    async def top(self, inter: disnake.ApplicationCommandInteraction):
        rows = self.bot.store.top()
        text = "\n".join(f"{i}. {r['display_name']} {r['score']}" for i, r in enumerate(rows, 1))
        await inter.response.send_message(text or "Nobody yet")


def setup(bot):
    bot.add_cog(Members(bot))
