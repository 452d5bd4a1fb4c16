from contextlib import asynccontextmanager

import httpx
from fastapi import Depends, FastAPI, HTTPException, Request

from .client import TalentClient
from .models import ReputationOut
from .settings import settings


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.talent = TalentClient.create()
    yield
    await app.state.talent.close()


app = FastAPI(lifespan=lifespan)


def get_talent(request: Request) -> TalentClient:
    return request.app.state.talent


@app.get("/reputation/{wallet}", response_model=ReputationOut)
async def reputation(wallet: str, talent: TalentClient = Depends(get_talent)):
    try:
        passport = await talent.passport(wallet)
    except httpx.HTTPStatusError as e:
        raise HTTPException(404 if e.response.status_code == 404 else 502, "talent api error")

    if passport.calculating:
        raise HTTPException(425, "score is being calculated")

    credentials = await talent.credentials(passport.id)
    badges = [c.name for c in credentials if c.value and c.score > 0]
    name = passport.profile.display_name if passport.profile else wallet
    return ReputationOut(
        id=passport.id,
        name=name or wallet,
        score=passport.score,
        trusted=passport.human and passport.score >= settings.min_score,
        badges=badges,
    )


@app.get("/wallets/{passport_id}")
async def wallets(passport_id: str, talent: TalentClient = Depends(get_talent)):
    passport = await talent.passport(passport_id)
    return {"wallets": passport.wallets, "as_of": passport.calculated_at}
