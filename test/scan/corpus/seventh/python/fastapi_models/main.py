from typing import Optional

import httpx
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, Field

app = FastAPI()


class Profile(BaseModel):
    display_name: Optional[str] = None
    bio: Optional[str] = None


class Passport(BaseModel):
    passport_id: int
    score: float
    human: bool = Field(alias="human_checkmark")
    profile: Profile = Field(alias="passport_profile")


@app.get("/people/{wallet}")
async def person(wallet: str):
    async with httpx.AsyncClient(base_url="https://api.example.com/api/v1") as client:
        r = await client.get(f"/passports/{wallet}")  # call: passport
    if r.status_code == 404:
        raise HTTPException(404, "unknown wallet")
    p = Passport(**r.json()["passport"])
    return {"id": p.passport_id, "human": p.human, "name": p.profile.display_name}  # read: passport.passport_id, passport.human_checkmark, passport.passport_profile.display_name
