import logging

import httpx

from .models import Credential, CredentialsEnvelope, Passport, PassportEnvelope
from .settings import Settings

log = logging.getLogger(__name__)


class TalentClient:
    def __init__(self, settings: Settings) -> None:
        self._http = httpx.AsyncClient(
            base_url=settings.talent_api_url,
            headers={"X-API-KEY": settings.talent_api_key},
            timeout=httpx.Timeout(10.0, connect=3.0),
        )

    async def aclose(self) -> None:
        await self._http.aclose()

    async def passport(self, wallet: str) -> Passport:
        response = await self._http.get(f"/passports/{wallet}")
        response.raise_for_status()
        return PassportEnvelope.model_validate(response.json()).passport

    async def credentials(self, passport_id: int) -> list[Credential]:
        try:
            response = await self._http.get("/passport_credentials", params={"passport_id": passport_id})
            response.raise_for_status()
        except httpx.HTTPError:
            log.exception("credentials of %s", passport_id)
            return []
        return CredentialsEnvelope.model_validate_json(response.content).passport_credentials
