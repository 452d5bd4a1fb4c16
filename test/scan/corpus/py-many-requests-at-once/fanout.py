import asyncio

import httpx

from settings import settings


async def one(client, wallet):
    try:
        response = await client.get(f"/passports/{wallet}")  # call: passport
        return response.json()["passport"]["score"]  # read: passport.score
    except Exception:  # hazard: catch-default
        return 0


async def many(wallets):
    async with httpx.AsyncClient(base_url=settings.rep_url, headers=settings.headers()) as client:
        scores = await asyncio.gather(*(one(client, w) for w in wallets))
    return dict(zip(wallets, scores))


async def categories(pid):
    async with httpx.AsyncClient(base_url=settings.rep_url) as http:
        response = await http.get("/passport_credentials", params={"passport_id": str(pid)})  # call: passport-credentials
    found = response.json()["passport_credentials"]
    return {c["category"] for c in found if c["score"] > 0}  # read: passport_credentials[].score, passport_credentials[].category


async def weather(city):
    async with httpx.AsyncClient(base_url="https://weather.example.com/api/v1") as http:
        reply = await http.get("/places", params={"keyword": city})
    return reply.json()["score"], reply.json()["category"]


if __name__ == "__main__":
    result = asyncio.run(many(["0x1", "0x2"]))
    print(max(result.values()))
