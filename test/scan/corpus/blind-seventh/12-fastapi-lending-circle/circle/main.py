from contextlib import asynccontextmanager

import httpx
from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel

from .limits import credit_limit, reasons_against
from .settings import Settings, get_settings
from .upstream import Gateway, UpstreamDown


@asynccontextmanager
async def lifespan(app: FastAPI):
    settings = get_settings()
    headers = {"Accept": "application/json"}
    if settings.talent_key:
        headers["X-API-KEY"] = settings.talent_key.get_secret_value()
    async with httpx.AsyncClient(
        base_url=f"{settings.talent_host}api/v1", headers=headers, timeout=10
    ) as http:
        app.state.http = http
        yield


app = FastAPI(title="Lending circle", lifespan=lifespan)


class Offer(BaseModel):
    wallet: str
    name: str
    score: float
    limit: int
    reasons: list[str] = []


class Card(BaseModel):
    name: str
    town: str | None
    tags: list[str]
    handles: dict[str, str]


@app.get("/offers/{wallet}", response_model=Offer)
async def offer(wallet: str, talent: Gateway, settings: Settings = Depends(get_settings)):
    try:
        member = await talent.member(wallet)
    except UpstreamDown as exc:
        raise HTTPException(503, "reputation service is not available") from exc

    reasons = reasons_against(member)
    limit = 0
    if not reasons:
        limit = credit_limit(member, await talent.proofs(member.id), settings)
    return Offer(
        wallet=member.wallet or wallet,
        name=member.profile.name or "Member",
        score=member.score,
        limit=limit,
        reasons=reasons,
    )


@app.get("/cards/{wallet}", response_model=Card | None)
async def card(wallet: str, talent: Gateway):
    try:
        member = await talent.member(wallet)
    except UpstreamDown:
        return None
    profile = member.profile
    return Card(
        name=profile.name or wallet,
        town=profile.town,
        tags=profile.tags[:5],
        handles={s.source: s.handle for s in member.socials if s.handle},
    )


@app.get("/health")
async def health():
    return {"ok": True}
