import asyncio
import logging
from contextlib import asynccontextmanager
from typing import Annotated

import httpx
from fastapi import Depends, FastAPI, HTTPException, Request

from .clients import AlchemyClient, TalentClient
from .rules import build_window, tier_for
from .schemas import Window
from .settings import Settings, get_settings

log = logging.getLogger("presale")


@asynccontextmanager
async def lifespan(app: FastAPI):
    settings = get_settings()
    app.state.talent = TalentClient.from_settings(settings)
    app.state.alchemy = AlchemyClient(settings)
    yield
    await app.state.talent.aclose()


app = FastAPI(title="Presale windows", lifespan=lifespan)
SettingsDep = Annotated[Settings, Depends(get_settings)]


async def resolve(request: Request, wallet: str, settings: Settings) -> Window:
    talent: TalentClient = request.app.state.talent
    passport, holder = await asyncio.gather(talent.passport(wallet), request.app.state.alchemy.is_holder(wallet))
    credentials = await talent.credentials(passport.id)
    log.info("%s from %s scored at %s", wallet, passport.profile.location, passport.calculated_at)
    return build_window(wallet, passport, tier_for(passport, credentials, settings, holder), settings)


@app.get("/windows/{wallet}", response_model=Window)
async def window(request: Request, wallet: str, settings: SettingsDep):
    try:
        return await resolve(request, wallet, settings)
    except httpx.HTTPStatusError as exc:
        raise HTTPException(502, f"upstream answered {exc.response.status_code}") from exc


@app.post("/windows/bulk", response_model=list[Window])
async def bulk(request: Request, wallets: list[str], settings: SettingsDep):
    windows = []
    for wallet in wallets[:50]:
        try:
            windows.append(await resolve(request, wallet, settings))
        except httpx.HTTPError:
            windows.append(Window(wallet=wallet, tier="public", score=0, opens_at=settings.opens_at))
    return sorted(windows, key=lambda w: (-w.score, w.wallet))


@app.get("/healthz")
async def healthz():
    return {"ok": True}
