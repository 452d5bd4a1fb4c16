from dataclasses import dataclass

import httpx


@dataclass
class Credential:
    id: str
    type: str
    earned_at: str


def load(passport_id: str) -> list[Credential]:
    response = httpx.get("https://api.example.com/api/v1/passport_credentials", params={"passport_id": passport_id})  # call: passport-credentials
    rows = response.json().get("passport_credentials", [])  # hazard: fallback-default
    return [Credential(id=row["id"], type=row["type"], earned_at=row["earned_at"]) for row in rows]  # read: passport_credentials[].id, passport_credentials[].type, passport_credentials[].earned_at
