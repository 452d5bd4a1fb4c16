import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor, as_completed
import httpx
import requests
from tenacity import retry, stop_after_attempt

API = "https://r.example.org/api/v1"


@retry(stop=stop_after_attempt(3))
def get(path, **params):
    return requests.get(f"{API}/{path}", params=params, timeout=3).json()


@functools.lru_cache(maxsize=None)
def passport(i):
    return get(f"passports/{i}")["passport"]  # call: passport


def all_scores(ids):
    with ThreadPoolExecutor() as pool:
        futures = {pool.submit(passport, i): i for i in ids}
        for fut in as_completed(futures):
            yield futures[fut], fut.result()["score"]  # read: passport.score


async def one(client, i):
    r = await client.get(f"/passports/{i}")  # call: passport
    return i, r.json()["passport"]


async def many(ids):
    async with httpx.AsyncClient(base_url=API) as client:
        results = await asyncio.gather(*(one(client, i) for i in ids), return_exceptions=True)
    out = {}
    for res in results:
        if isinstance(res, Exception):
            continue
        i, p = res
        out[i] = p["activity_score"]  # read: passport.activity_score
    return out


async def grouped(ids):
    async with httpx.AsyncClient(base_url=API) as client, asyncio.TaskGroup() as tg:
        tasks = [tg.create_task(one(client, i)) for i in ids]
    return [t.result()[1]["main_wallet"] for t in tasks]  # read: passport.main_wallet


async def worker(queue: asyncio.Queue, client):
    while True:
        i = await queue.get()
        _, p = await one(client, i)
        print(p["passport_profile"]["tags"])
        queue.task_done()


async def pages(client):
    n = 1
    while True:
        body = (await client.get(f"{API}/passports", params={"page": n})).json()  # call: passport-list
        for p in body["passports"]:
            yield p
        if n >= body["pagination"]["last_page"]:  # read: pagination.last_page
            return
        n += 1


async def total():
    async with httpx.AsyncClient() as client:
        return sum([p["score"] async for p in pages(client) if p["human_checkmark"]])  # read: passports[].human_checkmark, passports[].score
