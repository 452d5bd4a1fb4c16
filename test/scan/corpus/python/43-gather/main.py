import asyncio
import aiohttp

URL = "https://rep.example.org/api/v1/passports/{}"


async def one(session, ident):
    async with session.get(URL.format(ident)) as resp:  # call: passport
        return (await resp.json())["passport"]


async def all_of(idents):
    async with aiohttp.ClientSession() as session:
        tasks = []
        for ident in idents:
            tasks.append(asyncio.create_task(one(session, ident)))
        people = await asyncio.gather(*tasks, return_exceptions=True)
    for p in people:
        print(p["main_wallet"])  # read: passport.main_wallet
    a, b = await asyncio.gather(one(session, 1), one(session, 2))
    print(a["score"], b["merged"])  # read: passport.score, passport.merged


async def done(idents):
    async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as group:
        tasks = {i: group.create_task(one(session, i)) for i in idents}
    for ident, task in tasks.items():
        print(ident, task.result()["connections_count"])  # read: passport.connections_count
    for coro in asyncio.as_completed([one(session, i) for i in idents]):
        p = await coro
        print(p["last_calculated_at"])  # read: passport.last_calculated_at
    q = asyncio.Queue()
    await q.put(await one(session, 3))
    item = await q.get()
    print(item["human_checkmark"])  # read: passport.human_checkmark
