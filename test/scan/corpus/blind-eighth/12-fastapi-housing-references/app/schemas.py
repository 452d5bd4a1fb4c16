from __future__ import annotations

from datetime import datetime
from typing import Annotated, Optional

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _count(value):
    """Counts arrive as "1204", as 1204 or as an empty string."""
    return None if value in ("", None) else int(value)


Count = Annotated[Optional[int], BeforeValidator(_count)]


class Upstream(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class ProfilePart(Upstream):
    display_name: str
    bio: str | None = None
    city: str | None = Field(default=None, alias="location")


class SocialPart(Upstream):
    source: str
    profile_url: str | None
    followers: Count = Field(None, alias="follower_count")


class PassportIn(Upstream):
    passport_id: int
    score: float
    identity_score: float = 0
    busy: bool = Field(False, alias="calculating_score")
    is_human: bool = Field(alias="human_checkmark")
    calculated: datetime | None = Field(None, alias="last_calculated_at")
    wallet: str | None = Field(..., alias="main_wallet")
    profile: ProfilePart = Field(alias="passport_profile")
    socials: list[SocialPart] = Field(default_factory=list, alias="passport_socials")


class SinglePassport(Upstream):
    passport: PassportIn


class CredentialIn(Upstream):
    id: str
    kind: str = Field(alias="type")
    category: str
    title: str = Field(alias="name")
    points: float = Field(alias="score")
    ceiling: float | None = Field(None, alias="max_score")
    shown: str | None = Field(None, alias="value")


class CredentialPage(Upstream):
    passport_credentials: list[CredentialIn]


# --- what the landlords see -------------------------------------------------


class Evidence(BaseModel):
    title: str
    detail: str
    share: float | None = None


class Reference(BaseModel):
    tenant: str
    city: str | None
    score: float
    accepted: bool
    provisional: bool
    links: dict[str, str]
    evidence: list[Evidence]
