"""Client of the equine registry: identity, owner and vaccinations of a horse."""
import os
from datetime import date

import httpx
import msgspec

REGISTRY = os.getenv("EQUINE_REGISTRY", "https://registry.equinedata.eu/rest/v1")
FEDERATION = os.getenv("FEDERATION_URL", "https://api.ridersfederation.eu")


class Vaccination(msgspec.Struct):
    kind: str
    given_on: date
    batch: str = ""


class HorsePassport(msgspec.Struct, rename={"id": "passport_id"}):
    id: str
    ueln: str
    name: str
    born: date
    verified: bool = False
    owner: dict | None = None
    location: str | None = None
    vaccinations: list[Vaccination] = []


class Licence(msgspec.Struct):
    id: str
    type: str
    category: str
    earned_at: date
    expires_at: date
    max_score: float | None = None


class Registry:
    def __init__(self) -> None:
        self.http = httpx.AsyncClient(timeout=10, headers={"X-API-KEY": os.getenv("EQUINE_KEY", "")})

    async def passport(self, ueln: str) -> HorsePassport | None:
        r = await self.http.get(f"{REGISTRY}/passports/{ueln}", params={"include": "vaccinations"})
        if r.status_code == 404:
            return None
        r.raise_for_status()
        return msgspec.convert(r.json()["passport"], HorsePassport, strict=False)

    async def by_owner(self, owner: str) -> list[HorsePassport]:
        page, found = 1, []
        while True:
            r = await self.http.get(f"{REGISTRY}/passports", params={"owner": owner, "page": page})
            r.raise_for_status()
            body = r.json()
            found += msgspec.convert(body["passports"], list[HorsePassport], strict=False)
            if page >= body["pagination"]["last_page"]:
                return found
            page += 1

    async def credentials(self, rider_id: str) -> list[Licence]:
        try:
            r = await self.http.get(f"{FEDERATION}/riders/{rider_id}/credentials")
            r.raise_for_status()
        except httpx.HTTPError:
            return []
        return msgspec.convert(r.json()["credentials"], list[Licence], strict=False)
