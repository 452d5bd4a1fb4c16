import asyncio
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, timezone

import httpx
from fastapi import FastAPI, HTTPException

from .models import Reputation
from .passports import PassportGateway


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.gateway = PassportGateway()
    yield
    await app.state.gateway.aclose()


app = FastAPI(title="Reputation", lifespan=lifespan)


@app.get("/reputation/{wallet}", response_model=Reputation)
async def reputation(wallet: str):
    gateway: PassportGateway = app.state.gateway
    try:
        passport = await gateway.passport(wallet)
    except httpx.HTTPError as exc:
        raise HTTPException(502, "passport service unavailable") from exc
    if passport is None:
        raise HTTPException(404, "no passport")

    credentials = await gateway.credentials(passport.id)
    skills = [c for c in credentials if c.category == "Skills"]
    skills.sort(key=lambda c: c.score, reverse=True)

    calculated = passport.last_calculated_at
    stale = calculated is None or calculated < datetime.now(timezone.utc) - timedelta(days=30)
    return Reputation(
        name=passport.profile.display_name or wallet,
        trust=min(1.0, passport.score / 200),
        human=passport.human,
        networks=[s.source for s in passport.socials],
        highlights=[f"{c.type}: {c.value}" for c in skills[:3]],
        stale=stale,
    )


@app.post("/reputation/batch")
async def batch(wallets: list[str]) -> dict[str, float | None]:
    async def one(wallet: str) -> float | None:
        try:
            p = await app.state.gateway.passport(wallet)
            return p.score if p else None
        except Exception:
            return None

    scores = await asyncio.gather(*(one(w) for w in wallets))
    return dict(zip(wallets, scores))
