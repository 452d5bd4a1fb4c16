import os
from typing import Iterator

import httpx

from .talent_schemas import Credential, Passport, PassportPage

client = httpx.Client(
    base_url=os.environ["TALENT_URL"],
    headers={"X-API-KEY": os.environ.get("TALENT_KEY", "")},
    timeout=20,
    event_hooks={"response": [lambda r: r.raise_for_status()]},
)


def iter_passports(max_pages: int = 10) -> Iterator[Passport]:
    for page in range(1, max_pages + 1):
        response = client.get("/api/v1/passports", params={"page": page})
        data = PassportPage.model_validate(response.json())
        yield from data.passports
        if data.pagination.current_page == data.pagination.last_page:
            return


def fetch_passport(ref: str) -> Passport:
    response = client.get(f"/api/v1/passports/{ref}")
    return Passport.model_validate(response.json()["passport"])


def fetch_credentials(passport_id: int) -> list[Credential]:
    response = client.get("/api/v1/passport_credentials", params={"passport_id": str(passport_id)})
    return [Credential.model_validate(c) for c in response.json()["passport_credentials"]]
