import aiohttp


class Helix:
    BASE = "https://api.twitch.tv/helix"

    def __init__(self, client_id: str, token: str) -> None:
        self.headers = {"Client-Id": client_id, "Authorization": f"Bearer {token}"}

    async def followers(self, login: str) -> dict:
        async with aiohttp.ClientSession(headers=self.headers, raise_for_status=True) as session:
            async with session.get(f"{self.BASE}/users", params={"login": login}) as resp:
                user = (await resp.json())["data"][0]
            async with session.get(f"{self.BASE}/channels/followers", params={"broadcaster_id": user["id"]}) as resp:
                return await resp.json()
