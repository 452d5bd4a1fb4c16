from typing import Annotated
import httpx
from fastapi import Depends, FastAPI
from schemas import Credential, CredentialList, PassportOut

app = FastAPI()
BASE = "https://rep.example.org/api/v1"


async def get_client():
    async with httpx.AsyncClient(base_url=BASE, timeout=5) as client:
        yield client


class Reputation:
    def __init__(self, client: httpx.AsyncClient = Depends(get_client)):
        self.client = client

    async def credentials(self, pid: int) -> list[Credential]:
        r = await self.client.get("/passport_credentials", params={"passport_id": pid})  # call: passport-credentials
        r.raise_for_status()
        return CredentialList(**r.json()).passport_credentials


@app.get("/people/{pid}/points")
async def points(pid: int, rep: Annotated[Reputation, Depends()]):
    creds = await rep.credentials(pid)
    return {"points": sum(c.score for c in creds), "of": sum(c.max_score for c in creds)}  # read: passport_credentials[].score, passport_credentials[].max_score


@app.get("/people/{pid}")
async def person(pid: int, client: httpx.AsyncClient = Depends(get_client)) -> PassportOut:
    res = await client.get(f"/passports/{pid}")  # call: passport
    if res.status_code == 404:  # hazard: status-default
        return None
    raw = res.json()["passport"]
    return PassportOut(id=raw["passport_id"], score=raw["score"])  # read: passport.passport_id, passport.score
