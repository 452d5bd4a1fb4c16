from collections import defaultdict
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, timezone

import httpx
from fastapi import Depends, FastAPI, HTTPException, Request

from .client import TalentClient
from .models import BuilderOut, Passport
from .settings import Settings, get_settings


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.talent = TalentClient(get_settings())
    yield
    await app.state.talent.aclose()


app = FastAPI(title="builder-service", lifespan=lifespan)


def talent(request: Request) -> TalentClient:
    return request.app.state.talent


def is_stale(passport: Passport, days: int) -> bool:
    if passport.calculated_at is None:
        return True
    return datetime.now(timezone.utc) - passport.calculated_at > timedelta(days=days)


@app.get("/builders/{wallet}", response_model=BuilderOut)
async def builder(
    wallet: str,
    client: TalentClient = Depends(talent),
    settings: Settings = Depends(get_settings),
) -> BuilderOut:
    try:
        passport = await client.passport(wallet)
    except httpx.HTTPStatusError as exc:
        raise HTTPException(404 if exc.response.status_code == 404 else 502) from exc
    except httpx.RequestError as exc:
        raise HTTPException(503, "talent api not reachable") from exc

    points: dict[str, float] = defaultdict(float)
    verified: list[str] = []
    for credential in await client.credentials(passport.id):
        points[credential.category] += credential.score
        if credential.value == "Verified":
            verified.append(credential.type)

    return BuilderOut(
        id=passport.id,
        name=passport.profile.name or passport.wallets[0],
        score=passport.score,
        stale=is_stale(passport, settings.stale_after_days),
        verified=verified,
        points=points,
    )
