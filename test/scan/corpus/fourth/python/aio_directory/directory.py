import asyncio

import aiohttp


class Directory:
    def __init__(self, root="https://rep.example.org"):
        self._session = aiohttp.ClientSession(base_url=root)

    async def _fetch(self, path, params=None):
        async with self._session.get(path, params=params) as r:
            r.raise_for_status()
            return await r.json()

    async def find(self, keyword):
        data = await self._fetch("/api/v1/passports", {"keyword": keyword})  # call: passport-list
        hits = data["passports"]
        hits.sort(key=lambda h: h["identity_score"], reverse=True)  # read: passports[].identity_score
        return [(h["passport_profile"]["display_name"], h["human_checkmark"]) for h in hits]  # read: passports[].passport_profile.display_name, passports[].human_checkmark

    async def images(self, pid):
        data = await self._fetch("/api/v1/passports/{}".format(pid))  # call: passport
        socials = data["passport"]["passport_socials"]  # read: passport.passport_socials
        return {s["source"]: s["profile_image_url"] for s in socials}  # read: passport.passport_socials[].profile_image_url, passport.passport_socials[].source

    async def companies(self, keyword):
        data = await self._fetch("/api/v1/companies", {"keyword": keyword})
        return [(c["display_name"], c["score"], c["location"]) for c in data["companies"]]

    async def close(self):
        await self._session.close()


async def main():
    d = Directory()
    print(await d.find("joe"))
    await d.close()


asyncio.run(main())
