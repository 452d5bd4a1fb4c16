from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Profile(BaseModel):
    display_name: str | None
    location: str | None = None
    tags: list[str] = []


class Social(BaseModel):
    source: str
    handle: str | None = Field(default=None, alias="profile_name")
    followers: int | None = Field(default=None, alias="follower_count")


class Passport(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    id: int = Field(alias="passport_id")
    score: float
    human: bool = Field(alias="human_checkmark")
    calculating: bool = Field(default=False, alias="calculating_score")
    calculated_at: datetime | None = Field(default=None, alias="last_calculated_at")
    wallets: list[str] = Field(default_factory=list, alias="verified_wallets")
    profile: Profile = Field(alias="passport_profile")
    socials: list[Social] = Field(default_factory=list, alias="passport_socials")


class Credential(BaseModel):
    type: str
    category: str
    score: float = 0
    earned_at: str | None


class PassportEnvelope(BaseModel):
    passport: Passport


class CredentialsEnvelope(BaseModel):
    passport_credentials: list[Credential]


class Window(BaseModel):
    wallet: str
    name: str | None = None
    tier: Literal["vip", "early", "public"]
    score: float
    opens_at: datetime
    max_tickets: int = 2
