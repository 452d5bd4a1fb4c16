from collections.abc import AsyncIterator
from typing import Annotated, TypeVar

import httpx
from fastapi import Depends, HTTPException
from pydantic import BaseModel

from .schemas import Credential, CredentialEnvelope, Passport, PassportEnvelope, PassportPage
from .settings import Settings, get_settings

M = TypeVar("M", bound=BaseModel)


class Talent:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def _load(self, model: type[M], path: str, **params: str) -> M:
        response = await self.http.get(path, params=params)
        if response.status_code == 401:
            raise HTTPException(503, "reputation quota exhausted")
        response.raise_for_status()
        return model.model_validate_json(response.content)

    async def passport(self, wallet: str) -> Passport | None:
        try:
            envelope = await self._load(PassportEnvelope, f"passports/{wallet}")
        except httpx.HTTPStatusError as error:
            if error.response.status_code == 404:
                return None
            raise
        return envelope.passport

    async def credentials(self, passport_id: int) -> list[Credential]:
        try:
            envelope = await self._load(CredentialEnvelope, "passport_credentials", passport_id=str(passport_id))
        except httpx.HTTPError:
            return []
        return envelope.passport_credentials

    async def search(self, keyword: str) -> PassportPage:
        return await self._load(PassportPage, "passports", keyword=keyword)


async def talent(settings: Annotated[Settings, Depends(get_settings)]) -> AsyncIterator[Talent]:
    headers = {"X-API-KEY": settings.talent_key.get_secret_value()}
    async with httpx.AsyncClient(base_url=str(settings.talent_api), headers=headers, timeout=8) as http:
        yield Talent(http)


async def validator_count(wallet: str, settings: Annotated[Settings, Depends(get_settings)]) -> int:
    async with httpx.AsyncClient(base_url=str(settings.beacon_api)) as http:
        response = await http.get(f"validator/eth1/{wallet}")
        response.raise_for_status()
        return len(response.json()["data"])
