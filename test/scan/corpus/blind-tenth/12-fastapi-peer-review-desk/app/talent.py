import logging

import httpx
from pydantic import TypeAdapter

from .schemas import Credential, Passport

logger = logging.getLogger("desk.talent")
credential_list = TypeAdapter(list[Credential])


class TalentClient:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def passport(self, ident: str) -> Passport | None:
        response = await self._http.get(f"passports/{ident}")
        if response.status_code == httpx.codes.NOT_FOUND:
            return None
        response.raise_for_status()
        return Passport.model_validate(response.json()["passport"])

    async def find(self, keyword: str) -> list[Passport]:
        response = await self._http.get("passports", params={"keyword": keyword})
        response.raise_for_status()
        return [Passport.model_validate(row) for row in response.json()["passports"]]

    async def credentials(self, passport_id: int) -> list[Credential]:
        try:
            response = await self._http.get("passport_credentials", params={"passport_id": passport_id})
            response.raise_for_status()
        except httpx.HTTPError:
            logger.exception("credentials of %s unavailable", passport_id)
            return []
        return credential_list.validate_python(response.json()["passport_credentials"])
