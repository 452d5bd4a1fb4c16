import asyncio
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import Depends, FastAPI
from pydantic import BaseModel, Field

from .client import Client, PassportClient, UpstreamError, as_http_error
from .scoring import Applicant, review
from .settings import Settings, get_settings


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.passports = PassportClient.from_settings(get_settings())
    yield
    await app.state.passports._http.aclose()


app = FastAPI(title="Grant scoring", lifespan=lifespan)
Conf = Annotated[Settings, Depends(get_settings)]


class Round(BaseModel):
    wallets: list[str] = Field(max_length=50)


class RoundResult(BaseModel):
    ranking: list[Applicant]
    skipped: int
    human_ratio: float
    eligible: bool


@app.get("/applicants/{wallet}", response_model=Applicant)
async def applicant(wallet: str, client: Client, conf: Conf):
    try:
        passport = await client.passport(wallet)
        items = await client.credentials(passport.id)
    except UpstreamError as exc:
        raise as_http_error(exc)
    return review(passport, items, conf)


@app.get("/search")
async def search(q: str, client: Client):
    hits = []
    try:
        async for p in client.by_name(q):
            if p.score <= 0:
                continue
            hits.append({"id": p.id, "name": p.profile.name, "where": p.profile.location, "tags": p.profile.tags[:3]})
    except UpstreamError as exc:
        raise as_http_error(exc)
    return hits


@app.post("/rounds/score", response_model=RoundResult)
async def score_round(body: Round, client: Client, conf: Conf):
    found = await asyncio.gather(*(client.passport_or_none(w) for w in body.wallets))
    people = {p.id: p for p in found if p is not None and not p.merged}
    ranking = [review(p, [], conf) for p in people.values()]
    ranking.sort(key=lambda a: a.points, reverse=True)
    ratio = sum(a.human for a in ranking) / len(ranking) if ranking else 0.0
    return RoundResult(
        ranking=ranking,
        skipped=found.count(None),
        human_ratio=ratio,
        eligible=ratio >= conf.min_human_ratio,
    )
