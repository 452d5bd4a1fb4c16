import httpx

from .models import Credential, Passport
from .settings import settings


class TalentClient:
    def __init__(self, http: httpx.AsyncClient):
        self._http = http

    @classmethod
    def create(cls) -> "TalentClient":
        return cls(
            httpx.AsyncClient(
                base_url=f"{settings.talent_base_url}/api/v1",
                headers={"X-API-KEY": settings.talent_api_key},
                timeout=10,
            )
        )

    async def passport(self, id_or_wallet: str) -> Passport:
        r = await self._http.get(f"/passports/{id_or_wallet}")
        r.raise_for_status()
        return Passport.model_validate(r.json()["passport"])

    async def credentials(self, passport_id: int) -> list[Credential]:
        r = await self._http.get("/passport_credentials", params={"passport_id": passport_id})
        if r.status_code != 200:
            return []
        return [Credential.model_validate(c) for c in r.json()["passport_credentials"]]

    async def close(self) -> None:
        await self._http.aclose()
