from collections.abc import AsyncIterator
from typing import Annotated

import httpx
from fastapi import Depends

from .settings import Settings, get_settings
from .upstream import Artist, ArtistEnvelope, Credit, CreditsEnvelope


class TalentService:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def artist(self, ref: str) -> Artist | None:
        response = await self._client.get(f"passports/{ref}")
        if response.status_code == httpx.codes.NOT_FOUND:
            return None
        response.raise_for_status()
        return ArtistEnvelope.model_validate(response.json()).passport

    async def credits(self, passport_id: int) -> list[Credit]:
        response = await self._client.get("passport_credentials", params={"passport_id": passport_id})
        if response.is_error:
            return []
        return CreditsEnvelope.model_validate_json(response.content).credits


async def talent_service(settings: Annotated[Settings, Depends(get_settings)]) -> AsyncIterator[TalentService]:
    headers = {"X-API-KEY": settings.talent_key.get_secret_value(), "Accept": "application/json"}
    async with httpx.AsyncClient(base_url=str(settings.talent_base), headers=headers, timeout=8) as client:
        yield TalentService(client)


Talent = Annotated[TalentService, Depends(talent_service)]
