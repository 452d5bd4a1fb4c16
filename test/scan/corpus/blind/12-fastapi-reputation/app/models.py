from datetime import datetime

from pydantic import BaseModel, Field


class Profile(BaseModel):
    display_name: str | None
    bio: str | None = None
    tags: list[str] = Field(default_factory=list)


class Social(BaseModel):
    source: str
    profile_url: str | None = None
    followers: str | None = Field(None, alias="follower_count")


class Passport(BaseModel):
    id: int = Field(alias="passport_id")
    score: float
    activity_score: float = 0
    human: bool = Field(..., alias="human_checkmark")
    last_calculated_at: datetime | None = None
    profile: Profile = Field(alias="passport_profile")
    socials: list[Social] = Field(default_factory=list, alias="passport_socials")


class Credential(BaseModel):
    type: str
    category: str
    score: float
    value: str | None = None


class Reputation(BaseModel):
    """What we answer to our own clients."""

    name: str
    trust: float
    human: bool
    networks: list[str]
    highlights: list[str]
    stale: bool
