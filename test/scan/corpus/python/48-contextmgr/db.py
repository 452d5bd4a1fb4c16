from contextlib import contextmanager, asynccontextmanager
import requests
import httpx


@contextmanager
def rep_session(key):
    s = requests.Session()
    s.headers.update({"X-API-KEY": key})
    try:
        yield s
    finally:
        s.close()


@asynccontextmanager
async def api():
    async with httpx.AsyncClient(base_url="https://rep.example.org/api/v1") as c:
        yield c


@contextmanager
def opened(ident):
    with rep_session("k") as s:
        yield s.get(f"https://rep.example.org/api/v1/passports/{ident}").json()["passport"]  # call: passport


class Rep:
    def __enter__(self):
        self.client = httpx.Client(base_url="https://rep.example.org/api/v1")
        return self

    def __exit__(self, *exc):
        self.client.close()

    def creds(self, pid):
        return self.client.get("passport_credentials", params={"passport_id": pid}).json()["passport_credentials"]  # call: passport-credentials


async def run():
    async with api() as c:
        res = await c.get("/passports")  # call: passport-list
        print(res.json()["pagination"]["last_page"])  # read: pagination.last_page
    with opened("4") as p:
        print(p["calculating_score"])  # read: passport.calculating_score
    with Rep() as rep:
        print(sum(c["max_score"] for c in rep.creds(4)))  # read: passport_credentials[].max_score
