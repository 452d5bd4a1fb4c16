from datetime import datetime

from pydantic import BaseModel


class Credential(BaseModel):
    id: str
    name: str
    type: str
    category: str
    score: float
    max_score: float
    value: str | None = None
    earned_at: str | None = None


class CredentialPage(BaseModel):
    passport_credentials: list[Credential]


class Passport(BaseModel):
    passport_id: int
    score: float | None
    human_checkmark: bool
    verified_wallets: list[str]
    last_calculated_at: datetime | None
    merged: bool = False


class PassportReply(BaseModel):
    passport: Passport


class Eligibility(BaseModel):
    wallet: str
    score: float
    eligible: bool
    reasons: list[str] = []
