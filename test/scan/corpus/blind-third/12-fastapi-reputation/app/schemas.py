from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class Profile(BaseModel):
    display_name: str | None
    bio: str | None = None
    tags: list[str] = Field(default_factory=list)


class TalentPassport(BaseModel):
    """What the upstream sends, only the keys we need."""

    model_config = ConfigDict(populate_by_name=True, extra="ignore")

    id: int = Field(alias="passport_id")
    score: int
    skills: int = Field(0, alias="skills_score")
    is_human: bool = Field(alias="human_checkmark")
    wallets: list[str] = Field(alias="verified_wallets")
    calculated_at: datetime | None = Field(None, alias="last_calculated_at")
    profile: Profile | None = Field(None, alias="passport_profile")


class TalentCredential(BaseModel):
    type: str
    score: float = 0
    value: str | None = None


class ReputationOut(BaseModel):
    passport_id: int
    name: str
    score: int
    eligible: bool
    credentials: dict[str, float]
