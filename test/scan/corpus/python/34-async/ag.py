import asyncio
import aiohttp
from aiohttp import ClientSession


class Rep:
    BASE = "https://rep.example.org/api/v1"

    def __init__(self):
        self._sem = asyncio.Semaphore(5)
        self._s: ClientSession | None = None

    async def __aenter__(self):
        self._s = ClientSession(headers={"X-API-KEY": "k"})
        return self

    async def __aexit__(self, *a):
        await self._s.close()

    async def _json(self, url, **params):
        async with self._sem, self._s.get(url, params=params) as r:
            if r.status == 401:
                raise PermissionError
            return await r.json()

    async def pages(self):
        page, last = 1, 1
        while page <= last:
            data = await self._json(f"{self.BASE}/passports", page=page)  # call: passport-list
            last = data["pagination"]["last_page"]  # read: pagination.last_page
            yield data["passports"]
            page += 1

    async def credentials(self, pid):
        data = await self._json(self.BASE + "/passport_credentials", passport_id=pid)  # call: passport-credentials
        return {c["type"]: c for c in data["passport_credentials"]}  # read: passport_credentials[].type


async def main():
    async with Rep() as rep:
        people = [p async for page in rep.pages() for p in page]
        scores = [p["score"] for p in people if p["human_checkmark"]]  # read: passports[].score, passports[].human_checkmark
        for p, creds in zip(people, await asyncio.gather(*(rep.credentials(p["passport_id"]) for p in people))):  # read: passports[].passport_id
            wallet = creds.get("active_wallet")
            if wallet:
                print(p["main_wallet"], wallet["value"], wallet["earned_at"])  # read: passports[].main_wallet, passport_credentials[].value, passport_credentials[].earned_at
    return max(scores, default=0)


asyncio.run(main())
