from datetime import datetime
from typing import Optional

from pydantic import BaseModel, ConfigDict


class Profile(BaseModel):
    display_name: Optional[str] = None
    location: Optional[str] = None
    bio: Optional[str] = None


class Passport(BaseModel):
    model_config = ConfigDict(extra="ignore")

    passport_id: int
    score: Optional[float] = None
    identity_score: Optional[float] = None
    human_checkmark: bool = False
    last_calculated_at: Optional[datetime] = None
    verified_wallets: list[str] = []
    passport_profile: Profile


class PassportEnvelope(BaseModel):
    passport: Passport


class KycResult(BaseModel):
    approved: bool
    score: float
    display_name: str
    checked_at: datetime
