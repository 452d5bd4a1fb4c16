from collections.abc import AsyncIterator
from typing import Annotated

import httpx
from fastapi import Depends, HTTPException, Path

from .config import Settings, get_settings
from .schemas import Paper, Passport
from .talent import TalentClient

SettingsDep = Annotated[Settings, Depends(get_settings)]


async def talent_client(settings: SettingsDep) -> AsyncIterator[TalentClient]:
    async with httpx.AsyncClient(
        base_url=f"{settings.talent_origin}api/v1/",
        headers={"X-API-KEY": settings.talent_key.get_secret_value()},
        timeout=8,
    ) as http:
        yield TalentClient(http)


TalentDep = Annotated[TalentClient, Depends(talent_client)]


async def reviewer(ident: Annotated[str, Path(min_length=1)], talent: TalentDep) -> Passport:
    try:
        found = await talent.passport(ident)
    except httpx.HTTPError as exc:
        raise HTTPException(502, "reputation service unavailable") from exc
    if found is None:
        raise HTTPException(404, "unknown reviewer")
    return found


async def papers_by(name: str, settings: Settings) -> list[Paper]:
    async with httpx.AsyncClient(base_url=str(settings.openalex_origin)) as http:
        reply = await http.get("/works", params={"search": name, "per-page": 5})
        reply.raise_for_status()
        return [Paper.model_validate(work) for work in reply.json()["results"]]
