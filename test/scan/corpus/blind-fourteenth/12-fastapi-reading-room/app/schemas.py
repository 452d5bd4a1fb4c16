from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class Profile(BaseModel):
    display_name: str | None = None
    bio: str | None = None
    tags: list[str] = []


class Social(BaseModel):
    source: str
    profile_name: str | None
    profile_image_url: str | None = None


class Passport(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    id: int = Field(alias="passport_id")
    score: float
    human: bool = Field(False, alias="human_checkmark")
    calculating_score: bool = False
    calculated_at: datetime | None = Field(None, alias="last_calculated_at")
    profile: Profile = Field(alias="passport_profile")
    socials: list[Social] = Field(default_factory=list, alias="passport_socials")


class PassportEnvelope(BaseModel):
    passport: Passport


class Credential(BaseModel):
    name: str
    type: str
    category: str
    earned_at: str | None = None


class CredentialEnvelope(BaseModel):
    passport_credentials: list[Credential]


class ReaderOut(BaseModel):
    id: int
    name: str
    avatar: str | None = None
    score: float
    loan_limit: int
    tags: list[str] = []
    skills: list[str] = []
