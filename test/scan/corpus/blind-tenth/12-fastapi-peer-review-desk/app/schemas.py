from datetime import datetime

from pydantic import AliasPath, BaseModel, ConfigDict, Field


class Social(BaseModel):
    source: str
    handle: str | None = Field(default=None, alias="profile_name")
    url: str | None = Field(alias="profile_url")


class Passport(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="ignore")

    id: int = Field(alias="passport_id")
    wallet: str | None = Field(alias="main_wallet")
    score: float
    skills_score: float = 0
    human: bool = Field(default=False, alias="human_checkmark")
    calculated_at: datetime | None = Field(default=None, alias="last_calculated_at")
    name: str | None = Field(default=None, validation_alias=AliasPath("passport_profile", "display_name"))
    tags: list[str] = Field(default_factory=list, validation_alias=AliasPath("passport_profile", "tags"))
    socials: list[Social] = Field(default_factory=list, alias="passport_socials")


class Credential(BaseModel):
    type: str
    name: str
    value: str | None = None
    earned_at: str | None


class Paper(BaseModel):
    title: str
    display_name: str
    cited_by_count: int = 0


class ReviewerCard(BaseModel):
    """What the editors' front end receives."""

    id: int
    name: str
    score: int
    eligible: bool
    topics: list[str]
    github: str | None = None
    evidence: list[str]
    papers: list[Paper]
