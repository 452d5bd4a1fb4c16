import httpx

from .schemas import Credential, CredentialsEnvelope, Passport, PassportEnvelope
from .settings import Settings


class TalentClient:
    def __init__(self, http: httpx.AsyncClient):
        self._http = http

    @classmethod
    def from_settings(cls, settings: Settings) -> "TalentClient":
        return cls(
            httpx.AsyncClient(
                base_url=f"{settings.talent_base_url}/api/v1",
                headers={"X-API-KEY": settings.talent_api_key.get_secret_value()},
                timeout=httpx.Timeout(6.0, connect=2.0),
            )
        )

    async def passport(self, wallet: str) -> Passport:
        resp = await self._http.get(f"/passports/{wallet}")
        resp.raise_for_status()
        return PassportEnvelope.model_validate(resp.json()).passport

    async def credentials(self, passport_id: int) -> list[Credential]:
        resp = await self._http.get("/passport_credentials", params={"passport_id": passport_id})
        resp.raise_for_status()
        return CredentialsEnvelope.model_validate_json(resp.content).passport_credentials

    async def aclose(self) -> None:
        await self._http.aclose()


class AlchemyClient:
    def __init__(self, settings: Settings):
        self._http = httpx.AsyncClient(base_url=settings.alchemy_base_url)
        self._key = settings.alchemy_key.get_secret_value()
        self._collection = settings.collection

    async def is_holder(self, wallet: str) -> bool:
        resp = await self._http.get(
            f"/nft/v3/{self._key}/isHolderOfContract",
            params={"wallet": wallet, "contractAddress": self._collection},
        )
        return resp.is_success and resp.json().get("isHolderOfContract", False)
