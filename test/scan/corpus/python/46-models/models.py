from pydantic import BaseModel, Field
from typing import List, Optional


class Social(BaseModel):
    source: str
    followers: str = Field("0", alias="follower_count")


class Profile(BaseModel):
    name: Optional[str] = Field(default=None, alias="display_name")
    tags: List[str] = []

    def shout(self):
        return (self.name or "?").upper()  # read: passport.passport_profile.display_name


class Passport(BaseModel):
    id: int = Field(alias="passport_id")
    score: int = 0
    activity_score: int = 0
    profile: Profile = Field(alias="passport_profile")
    socials: List[Social] = Field(default_factory=list, alias="passport_socials")

    @property
    def total(self) -> int:
        return self.score + self.activity_score  # read: passport.score, passport.activity_score


class Envelope(BaseModel):
    passport: Passport
