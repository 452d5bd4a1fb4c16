from collections.abc import AsyncIterator
from typing import Annotated

import httpx
from fastapi import Depends, HTTPException, Path, status

from .schemas import CredentialIn, CredentialPage, PassportIn, SinglePassport
from .settings import Settings, get_settings

SettingsDep = Annotated[Settings, Depends(get_settings)]


async def passport_http(settings: SettingsDep) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(
        base_url=str(settings.passport_api),
        headers={"X-API-KEY": settings.passport_api_key.get_secret_value()},
        timeout=10,
    ) as client:
        yield client


Http = Annotated[httpx.AsyncClient, Depends(passport_http)]


async def current_passport(tenant: Annotated[str, Path(min_length=1)], http: Http) -> PassportIn:
    res = await http.get(f"/passports/{tenant}")
    if res.status_code == 404:
        raise HTTPException(status.HTTP_404_NOT_FOUND, "no such tenant")
    if res.status_code == 401:
        raise HTTPException(status.HTTP_503_SERVICE_UNAVAILABLE, "passport key refused or used up")
    res.raise_for_status()
    return SinglePassport.model_validate(res.json()).passport


PassportDep = Annotated[PassportIn, Depends(current_passport)]


async def current_credentials(passport: PassportDep, http: Http) -> list[CredentialIn]:
    res = await http.get("/passport_credentials", params={"passport_id": str(passport.passport_id)})
    if res.is_error:
        return []
    return CredentialPage.model_validate_json(res.content).passport_credentials


CredentialsDep = Annotated[list[CredentialIn], Depends(current_credentials)]
