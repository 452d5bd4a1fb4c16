import httpx

from .models import Credential, Passport
from .settings import get_settings


class PassportGateway:
    def __init__(self) -> None:
        s = get_settings()
        headers = {"X-API-KEY": s.passport_api_key} if s.passport_api_key else {}
        self.http = httpx.AsyncClient(base_url=f"{s.passport_base_url}/api/v1", headers=headers, timeout=8.0)

    async def passport(self, wallet: str) -> Passport | None:
        response = await self.http.get(f"/passports/{wallet}")
        if response.status_code == 404:
            return None
        response.raise_for_status()
        return Passport.model_validate(response.json()["passport"])

    async def credentials(self, passport_id: int) -> list[Credential]:
        response = await self.http.get("/passport_credentials", params={"passport_id": passport_id})
        response.raise_for_status()
        return [Credential(**item) for item in response.json()["passport_credentials"]]

    async def aclose(self) -> None:
        await self.http.aclose()
