import httpx
import structlog
from fastapi import Request
from pydantic import TypeAdapter

from .config import Settings
from .schemas import Credential, Passport

log = structlog.get_logger()
_credentials = TypeAdapter(list[Credential])


class UnknownVolunteer(LookupError): ...


class ReputationGateway:
    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None = None):
        self._http = httpx.AsyncClient(
            base_url=str(settings.reputation_url),
            headers={"X-API-KEY": settings.reputation_key.get_secret_value()},
            timeout=httpx.Timeout(8, connect=2),
            transport=transport,
        )

    async def aclose(self) -> None:
        await self._http.aclose()

    async def passport(self, ref: str) -> Passport:
        r = await self._http.get(f"/api/v1/passports/{ref}")
        if r.status_code == httpx.codes.NOT_FOUND:
            raise UnknownVolunteer(ref)
        r.raise_for_status()
        return Passport.model_validate(r.json()["passport"])

    async def find(self, name: str) -> list[Passport]:
        r = await self._http.get("/api/v1/passports", params={"keyword": name})
        if r.is_error:
            log.warning("reputation.search_failed", status=r.status_code)
            return []
        return [Passport.model_validate(p) for p in r.json()["passports"]]

    async def credentials(self, passport: Passport) -> list[Credential]:
        try:
            r = await self._http.get("/api/v1/passport_credentials", params={"passport_id": passport.id})
            r.raise_for_status()
        except httpx.HTTPError as e:
            log.warning("reputation.credentials_failed", passport=passport.id, error=repr(e))
            return []
        return _credentials.validate_python(r.json()["passport_credentials"])


def get_gateway(request: Request) -> ReputationGateway:
    return request.app.state.reputation
