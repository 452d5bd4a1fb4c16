import nextcord
from nextcord.ext import commands, tasks

from config import CREW_ROLES
from services.talent import TalentClient, TalentError
from services.tmdb import Tmdb


def member_embed(member: dict, skills: list[dict]) -> nextcord.Embed:
    profile = member["passport_profile"]
    embed = nextcord.Embed(
        title=profile.get("display_name") or member["main_wallet"],
        description=(profile.get("bio") or "")[:300],
        colour=nextcord.Colour.gold() if member["human_checkmark"] else nextcord.Colour.light_grey(),
    )
    embed.add_field(name="Score", value=str(member["score"]))
    embed.add_field(name="Skills", value=f"{member['skills_score']} / {member['activity_score']}")
    for social in member.get("passport_socials", [])[:4]:
        followers = int(social.get("follower_count") or 0)
        embed.add_field(
            name=social["source"].capitalize(),
            value=f"[{social['profile_name']}]({social['profile_url']}) · {followers:,}",
            inline=False,
        )
        if social.get("profile_image_url") and not embed.thumbnail.url:
            embed.set_thumbnail(url=social["profile_image_url"])
    if skills:
        lines = [f"{s['name']}: {s['value']}" for s in sorted(skills, key=lambda s: -s["score"])]
        embed.add_field(name="Credits", value="\n".join(lines[:8]), inline=False)
    return embed


class Crew(commands.Cog):
    def __init__(self, bot: commands.Bot, talent: TalentClient, tmdb: Tmdb):
        self.bot = bot
        self.talent = talent
        self.tmdb = tmdb
        self.wallets: dict[int, str] = {}
        self.refresh_roles.start()

    def cog_unload(self):
        self.refresh_roles.cancel()

    @nextcord.slash_command(description="Link your wallet")
    async def link(self, interaction: nextcord.Interaction, wallet: str):
        self.wallets[interaction.user.id] = wallet.lower()
        await interaction.send("Linked.", ephemeral=True)

    @nextcord.slash_command(description="Show a crew member")
    async def crew(self, interaction: nextcord.Interaction, user: nextcord.Member):
        wallet = self.wallets.get(user.id)
        if not wallet:
            await interaction.send(f"{user.display_name} has no wallet linked.", ephemeral=True)
            return
        await interaction.response.defer()
        try:
            member = await self.talent.member(wallet)
        except TalentError as exc:
            await interaction.followup.send(f"Sorry: {exc}")
            return
        embed = member_embed(member, await self.talent.skills(wallet))
        for person in await self.tmdb.credits(user.display_name):
            embed.set_footer(text=f"TMDB: {person['name']} ({person['score']:.0f})")
        await interaction.followup.send(embed=embed)

    @nextcord.slash_command(description="Search by name")
    async def search(self, interaction: nextcord.Interaction, name: str):
        found = await self.talent.find(name)
        text = "\n".join(
            f"`{p['passport_id']}` {p['passport_profile']['display_name']} ({p['score']})" for p in found[:10]
        )
        await interaction.send(text or "Nobody found.")

    async def _score_of(self, wallet: str) -> int:
        try:
            member = await self.talent.member(wallet)
            return member["score"]
        except (TalentError, KeyError):
            return 0

    @tasks.loop(hours=12)
    async def refresh_roles(self):
        for guild in self.bot.guilds:
            for user_id, wallet in self.wallets.items():
                member = guild.get_member(user_id)
                if member is None:
                    continue
                score = await self._score_of(wallet)
                for name, floor in CREW_ROLES.items():
                    role = nextcord.utils.get(guild.roles, name=name)
                    if role and score >= floor:
                        await member.add_roles(role)
                    elif role in member.roles:
                        await member.remove_roles(role)
