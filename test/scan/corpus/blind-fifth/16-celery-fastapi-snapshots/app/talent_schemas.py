from datetime import datetime
from typing import Optional

from pydantic import BaseModel, ConfigDict, Field


class Profile(BaseModel):
    name: Optional[str] = Field(None, alias="display_name")
    location: Optional[str] = None
    tags: list[str] = []


class Passport(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    id: int = Field(alias="passport_id")
    score: int
    activity: float = Field(alias="activity_score")
    identity: float = Field(0, alias="identity_score")
    skills: float = Field(0, alias="skills_score")
    calculating: bool = Field(False, alias="calculating_score")
    wallet: str | None = Field(alias="main_wallet")
    calculated_at: datetime | None = Field(None, alias="last_calculated_at")
    profile: Profile | None = Field(None, alias="passport_profile")


class Credential(BaseModel):
    id: str
    type: str
    category: str
    score: float
    max_score: float = 0


class Pagination(BaseModel):
    current_page: int
    last_page: int


class PassportPage(BaseModel):
    passports: list[Passport]
    pagination: Pagination
