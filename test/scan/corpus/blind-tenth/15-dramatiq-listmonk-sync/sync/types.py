from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import NotRequired, TypedDict


class ProfileJSON(TypedDict):
    display_name: str | None
    location: str | None
    tags: list[str]


class PassportJSON(TypedDict):
    passport_id: int
    score: float | None
    activity_score: float
    human_checkmark: bool
    main_wallet: str
    passport_profile: ProfileJSON
    merged: NotRequired[bool]


@dataclass(slots=True)
class Subscriber:
    email: str
    name: str
    city: str = ""
    score: int = 0
    vip: bool = False
    interests: list[str] = field(default_factory=list)
    last_badge: str | None = None

    def payload(self, list_id: int) -> dict:
        attribs = asdict(self)
        email, name = attribs.pop("email"), attribs.pop("name")
        return {"email": email, "name": name, "status": "enabled", "lists": [list_id], "attribs": attribs}
