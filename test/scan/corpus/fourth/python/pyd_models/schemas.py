from datetime import datetime
from typing import Optional

from pydantic import BaseModel


class Profile(BaseModel):
    bio: Optional[str] = None
    display_name: Optional[str] = None
    tags: list[str] = []


class Passport(BaseModel):
    passport_id: int
    score: Optional[int] = None
    skills_score: int = 0
    last_calculated_at: Optional[datetime] = None
    passport_profile: Profile


class Pagination(BaseModel):
    current_page: int
    last_page: int
    total: int


class Listing(BaseModel):
    passports: list[Passport]
    pagination: Pagination
