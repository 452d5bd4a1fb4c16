from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class _Upstream(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True, frozen=True)


class Profile(_Upstream):
    name: str | None = Field(None, alias="display_name")
    about: str | None = Field(None, alias="bio")
    tags: list[str] = []


class Account(_Upstream):
    network: str = Field(alias="source")
    url: str | None = Field(alias="profile_url")
    followers: Annotated[int | None, Field(alias="follower_count")] = None


class Passport(_Upstream):
    id: int = Field(alias="passport_id")
    score: float
    identity: float = Field(0, alias="identity_score")
    human: bool = Field(alias="human_checkmark")
    computed_at: datetime | None = Field(alias="last_calculated_at")
    wallets: list[str] = Field(default_factory=list, alias="verified_wallets")
    profile: Profile = Field(alias="passport_profile")
    accounts: list[Account] = Field(default_factory=list, alias="passport_socials")


class Credential(_Upstream):
    slug: str = Field(alias="type")
    category: str
    value: str | None = None
    score: float


class VolunteerOut(BaseModel):
    id: int
    name: str
    score: float
    verified: bool
    accounts: list[str]
    identity_proofs: int
    licensed_in: str | None = None
