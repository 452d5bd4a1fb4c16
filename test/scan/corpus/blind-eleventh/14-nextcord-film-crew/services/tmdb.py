import aiohttp


class Tmdb:
    def __init__(self, session: aiohttp.ClientSession, key: str):
        self._session = session
        self._key = key

    async def credits(self, name: str) -> list[dict]:
        params = {"api_key": self._key, "query": name}
        async with self._session.get("https://api.themoviedb.org/3/search/person", params=params) as res:
            if res.status != 200:
                return []
            people = (await res.json())["results"]
        return [{"name": p["name"], "score": p["popularity"]} for p in people[:3]]
