from typing import List, Optional
from pydantic import BaseModel, TypeAdapter
import httpx


class Credential(BaseModel):
    id: str
    type: str
    max_score: float
    earned_at: Optional[str] = None


class CredentialList(BaseModel):
    passport_credentials: List[Credential]


def load(passport_id: str) -> CredentialList:
    with httpx.Client(base_url="https://api.example.com/api/v1") as client:
        response = client.get("/passport_credentials", params={"passport_id": passport_id})  # call: passport-credentials
        response.raise_for_status()
        return CredentialList.model_validate(response.json())


def best(passport_id: str) -> float:
    credentials = load(passport_id).passport_credentials
    return max((c.max_score for c in credentials), default=0.0)  # read: passport_credentials[].max_score
