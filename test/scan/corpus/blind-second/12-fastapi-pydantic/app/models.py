from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class Profile(BaseModel):
    name: str | None = Field(default=None, alias="display_name")
    bio: str | None = None
    location: str | None
    tags: list[str] = Field(default_factory=list)


class Passport(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: int = Field(alias="passport_id")
    score: float
    human: bool = Field(False, alias="human_checkmark")
    wallets: list[str] = Field(alias="verified_wallets")
    calculated_at: datetime | None = Field(None, alias="last_calculated_at")
    profile: Profile = Field(alias="passport_profile")


class Credential(BaseModel):
    type: str
    category: str
    score: float = 0
    max_score: float | None = None
    value: str | None = None


class PassportEnvelope(BaseModel):
    passport: Passport


class CredentialsEnvelope(BaseModel):
    passport_credentials: list[Credential]


class BuilderOut(BaseModel):
    """What our own API answers."""

    id: int
    name: str
    score: float
    stale: bool
    verified: list[str]
    points: dict[str, float]
