import discord
from discord import app_commands
from discord.ext import commands

from roles import role_for

ICONS = {"twitter": "🐦", "github": "🐙", "farcaster": "🟪", "lens": "🌿"}


class PassportCog(commands.Cog):
    def __init__(self, bot):
        self.bot = bot

    @app_commands.command(description="Show a builder passport")
    async def passport(self, interaction: discord.Interaction, wallet: str):
        await interaction.response.defer()
        passport = await self.bot.talent.passport(wallet)
        if passport is None:
            await interaction.followup.send("No passport for this wallet.")
            return
        await interaction.followup.send(embed=self._embed(passport))

    @app_commands.command(description="Get your builder role")
    async def verify(self, interaction: discord.Interaction, wallet: str):
        passport = await self.bot.talent.passport(wallet)
        score = passport["score"] if passport else 0
        role = discord.utils.get(interaction.guild.roles, name=role_for(score))
        if role is None:
            await interaction.response.send_message(f"Score {score} is too low.", ephemeral=True)
            return
        await interaction.user.add_roles(role)
        await interaction.response.send_message(f"Welcome, {role.name}!", ephemeral=True)

    @app_commands.command(description="Find builders by name")
    async def find(self, interaction: discord.Interaction, name: str):
        hits = await self.bot.talent.search(name)
        lines = [f"{(p['passport_profile'] or {}).get('display_name')}: {p['score']}" for p in hits[:10]]
        await interaction.response.send_message("\n".join(lines) or "Nobody found")

    def _embed(self, passport) -> discord.Embed:
        profile = passport.get("passport_profile") or {}
        embed = discord.Embed(
            title=profile.get("display_name", "Unknown"),
            description=profile.get("bio"),
            url=f"https://passport.talentprotocol.com/profile/{passport['passport_id']}",
        )
        embed.add_field(name="Score", value=passport["score"])
        embed.add_field(name="Human", value="yes" if passport["human_checkmark"] else "no")
        for social in passport.get("passport_socials", []):
            icon = ICONS.get(social["source"], "🔗")
            followers = int(social.get("follower_count") or 0)
            embed.add_field(name=f"{icon} {social.get('profile_name')}", value=f"{followers} followers")
            if social["source"] == "twitter" and social.get("profile_image_url"):
                embed.set_thumbnail(url=social["profile_image_url"])
        return embed


async def setup(bot):
    await bot.add_cog(PassportCog(bot))
