import disnake
from disnake.ext import commands

VOLUMES = "https://www.googleapis.com/books/v1/volumes"


class Books(commands.Cog):
    def __init__(self, bot):
        self.bot = bot

    @commands.slash_command(description="Suggest a book")
    async def suggest(self, inter: disnake.ApplicationCommandInteraction, title: str):
        async with self.bot.http_session.get(VOLUMES, params={"q": title, "maxResults": 1}) as resp:
            items = (await resp.json()).get("items", [])
        if not items:
            await inter.response.send_message("Nothing found")
            return
        info = items[0]["volumeInfo"]
        embed = disnake.Embed(title=info["title"], description=info.get("description", "")[:300])
        embed.add_field("Category", ", ".join(info.get("categories", [])) or "-")
        await inter.response.send_message(embed=embed)


def setup(bot):
    bot.add_cog(Books(bot))
