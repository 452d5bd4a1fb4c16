from contextlib import asynccontextmanager
from typing import Annotated

import httpx
from fastapi import Depends, FastAPI, HTTPException, Request

from app.clients import OpenLibrary, TalentClient
from app.readers import build_reader
from app.schemas import ReaderOut
from app.settings import get_settings


@asynccontextmanager
async def lifespan(app: FastAPI):
    settings = get_settings()
    app.state.talent = TalentClient(settings)
    app.state.books = OpenLibrary(settings)
    yield
    await app.state.talent.aclose()
    await app.state.books.aclose()


app = FastAPI(title="Reading room", lifespan=lifespan)


def talent(request: Request) -> TalentClient:
    return request.app.state.talent


Talent = Annotated[TalentClient, Depends(talent)]


@app.get("/readers/{wallet}", response_model=ReaderOut)
async def reader(wallet: str, client: Talent):
    try:
        passport = await client.passport(wallet)
    except httpx.HTTPStatusError as e:
        raise HTTPException(e.response.status_code, "reader lookup failed") from e
    if passport.calculating_score:
        raise HTTPException(409, "score is being calculated, try again in a minute")
    credentials = await client.credentials(passport.id)
    return build_reader(passport, credentials, get_settings())


@app.get("/books")
async def books(title: str, request: Request):
    return await request.app.state.books.search(title)
