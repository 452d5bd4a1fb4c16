from datetime import datetime

from pydantic import BaseModel, Field


class Profile(BaseModel):
    display_name: str | None
    bio: str | None = None
    tags: list[str] = Field(default_factory=list)


class Passport(BaseModel):
    id: int = Field(alias="passport_id")
    score: float
    calculating: bool = Field(False, alias="calculating_score")
    human: bool = Field(alias="human_checkmark")
    wallets: list[str] = Field(alias="verified_wallets")
    calculated_at: datetime | None = Field(None, alias="last_calculated_at")
    profile: Profile | None = Field(None, alias="passport_profile")


class Credential(BaseModel):
    id: str
    name: str
    type: str
    category: str
    score: float
    max_score: float | None = None
    value: str | None


class ReputationOut(BaseModel):
    id: int
    name: str
    score: float
    trusted: bool
    badges: list[str]
