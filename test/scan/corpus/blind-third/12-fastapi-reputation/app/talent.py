import logging
from typing import Annotated

import httpx
from fastapi import Depends, HTTPException

from .config import Settings, get_settings
from .schemas import TalentCredential, TalentPassport

log = logging.getLogger(__name__)


class TalentClient:
    def __init__(self, settings: Annotated[Settings, Depends(get_settings)]):
        self._client = httpx.AsyncClient(
            base_url=settings.talent_api_url,
            headers={"X-API-KEY": settings.talent_api_key},
            timeout=10,
        )

    async def passport(self, wallet: str) -> TalentPassport:
        response = await self._client.get(f"/passports/{wallet}")
        if response.status_code == 404:
            raise HTTPException(404, "no passport")
        try:
            response.raise_for_status()
        except httpx.HTTPStatusError as exc:
            raise HTTPException(502, "talent api") from exc
        return TalentPassport.model_validate(response.json()["passport"])

    async def credentials(self, passport_id: int) -> list[TalentCredential]:
        try:
            response = await self._client.get("/passport_credentials", params={"passport_id": passport_id})
            response.raise_for_status()
        except httpx.HTTPError:
            log.exception("credentials of %s", passport_id)
            return []
        return [TalentCredential.model_validate(c) for c in response.json()["passport_credentials"]]
