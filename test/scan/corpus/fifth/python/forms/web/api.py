import httpx
from fastapi import APIRouter, Depends, HTTPException
from pydantic import BaseModel

router = APIRouter()


class Out(BaseModel):
    score: float
    wallet: str


async def client():
    async with httpx.AsyncClient(base_url="https://r.example.org/api/v1") as c:
        yield c


class Repo:
    def __init__(self, c: httpx.AsyncClient = Depends(client)):
        self.c = c

    async def passport(self, ident: str) -> dict:
        r = await self.c.get("/passports/" + ident)  # call: passport
        if r.status_code == 404:
            raise HTTPException(404)
        return r.json()["passport"]


@router.get("/people/{ident}", response_model=Out)
async def person(ident: str, repo: Repo = Depends()):
    p = await repo.passport(ident)
    return Out(score=p["score"], wallet=p["main_wallet"])  # read: passport.score, passport.main_wallet


@router.get("/people/{ident}/raw")
async def raw(ident: str, c: httpx.AsyncClient = Depends(client)):
    res = await c.get("/passport_credentials", params={"passport_id": ident})  # call: passport-credentials
    res.raise_for_status()
    return {c["id"]: c["score"] for c in res.json()["passport_credentials"]}  # read: passport_credentials[].score, passport_credentials[].id
