import httpx

from app.schemas import Credential, CredentialEnvelope, Passport, PassportEnvelope
from app.settings import Settings


class TalentClient:
    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None = None):
        self._http = httpx.AsyncClient(
            base_url=f"{settings.talent_base_url}/api/v1",
            headers={"X-API-KEY": settings.talent_api_key},
            timeout=10,
            transport=transport,
        )

    async def passport(self, wallet: str) -> Passport:
        r = await self._http.get(f"/passports/{wallet}")
        r.raise_for_status()
        return PassportEnvelope.model_validate(r.json()).passport

    async def credentials(self, passport_id: int) -> list[Credential]:
        r = await self._http.get("/passport_credentials", params={"passport_id": passport_id})
        if r.status_code != 200:
            return []
        return CredentialEnvelope.model_validate_json(r.content).passport_credentials

    async def aclose(self) -> None:
        await self._http.aclose()


class OpenLibrary:
    def __init__(self, settings: Settings):
        self._http = httpx.AsyncClient(base_url=settings.openlibrary_url, timeout=10)

    async def search(self, title: str) -> list[dict]:
        r = await self._http.get("/search.json", params={"title": title, "limit": 5})
        r.raise_for_status()
        return [{"title": d["title"], "key": d["key"], "score": d.get("ratings_average")} for d in r.json()["docs"]]

    async def aclose(self) -> None:
        await self._http.aclose()
