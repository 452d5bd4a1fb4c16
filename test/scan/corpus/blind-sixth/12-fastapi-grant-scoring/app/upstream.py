"""Models of the passport service. Only what the scoring needs is required."""
from datetime import datetime

from pydantic import AliasPath, BaseModel, ConfigDict, Field


class Upstream(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Profile(Upstream):
    name: str | None = Field(default=None, alias="display_name")
    bio: str | None = None
    location: str | None = None
    tags: list[str] = Field(default_factory=list)


class Social(Upstream):
    network: str = Field(alias="source")
    url: str | None = Field(default=None, alias="profile_url")
    followers: int | None = Field(default=None, alias="follower_count")


class Passport(Upstream):
    id: int = Field(alias="passport_id")
    score: float
    skills: float = Field(alias="skills_score")
    activity: float = Field(alias="activity_score")
    identity: float = Field(0, alias="identity_score")
    human: bool = Field(False, alias="human_checkmark")
    pending: bool = Field(False, alias="calculating_score")
    calculated_at: datetime | None = Field(alias="last_calculated_at")
    wallets: list[str] = Field(alias="verified_wallets")
    profile: Profile = Field(alias="passport_profile")


class FullPassport(Passport):
    merged: bool = False
    socials: list[Social] = Field(default_factory=list, alias="passport_socials")


class Credential(Upstream):
    type: str
    name: str
    category: str | None = None
    points: float = Field(alias="score")
    ceiling: float = Field(alias="max_score")
    text: str | None = Field(default=None, alias="value")


class PassportEnvelope(Upstream):
    passport: FullPassport


class PassportPage(Upstream):
    passports: list[Passport]
    last_page: int = Field(validation_alias=AliasPath("pagination", "last_page"))
    total: int = Field(validation_alias=AliasPath("pagination", "total"))


class CredentialEnvelope(Upstream):
    passport_credentials: list[Credential]
