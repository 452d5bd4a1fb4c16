import os
from datetime import datetime, timezone

import httpx
from fastapi import Depends, FastAPI, HTTPException

from .schemas import KycResult, Passport, PassportEnvelope

app = FastAPI(title="kyc")


async def get_client():
    async with httpx.AsyncClient(
        base_url=os.environ["PASSPORT_URL"],
        headers={"X-API-KEY": os.environ["PASSPORT_KEY"]},
    ) as client:
        yield client


async def load_passport(client: httpx.AsyncClient, wallet: str) -> Passport:
    response = await client.get(f"/api/v1/passports/{wallet}")  # call: passport
    if response.status_code == 401:
        raise HTTPException(status_code=502, detail="upstream key refused")
    response.raise_for_status()
    return PassportEnvelope.model_validate(response.json()).passport


@app.get("/kyc/{wallet}", response_model=KycResult)
async def kyc(wallet: str, client: httpx.AsyncClient = Depends(get_client)) -> KycResult:
    passport = await load_passport(client, wallet)
    approved = passport.human_checkmark and (passport.identity_score or 0) > 15  # read: passport.human_checkmark, passport.identity_score; hazard: fallback-default
    result = KycResult(
        approved=approved,
        score=passport.score if passport.score is not None else 0.0,  # read: passport.score; hazard: fallback-default
        display_name=passport.passport_profile.display_name or wallet,  # read: passport.passport_profile.display_name
        checked_at=datetime.now(timezone.utc),
    )
    if result.score > 100:
        result.display_name = result.display_name.upper()
    return result


@app.get("/kyc/{wallet}/wallets")
async def wallets(wallet: str, client: httpx.AsyncClient = Depends(get_client)):
    passport = await load_passport(client, wallet)
    return {"main": wallet, "others": [w for w in passport.verified_wallets if w != wallet]}  # read: passport.verified_wallets[]


@app.get("/sanctions/{name}")
async def sanctions(name: str):
    async with httpx.AsyncClient(base_url="https://sanctions.example") as client:
        response = await client.get("/api/v1/persons", params={"keyword": name})
    persons = response.json()["persons"]
    return [{"name": p["name"], "score": p.get("score", 0), "location": p["location"]} for p in persons]
