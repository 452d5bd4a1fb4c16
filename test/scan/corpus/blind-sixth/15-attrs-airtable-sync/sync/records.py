from __future__ import annotations

from datetime import datetime, timezone

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override


@attrs.frozen
class Profile:
    display_name: str | None = None
    bio: str | None = None
    location: str | None = None
    tags: list[str] = attrs.field(factory=list)


@attrs.frozen
class Social:
    source: str
    profile_name: str | None = None
    profile_image_url: str | None = None
    follower_count: str | None = None


@attrs.frozen
class Passport:
    passport_id: int
    score: float
    human: bool
    calculated: datetime | None
    profile: Profile
    socials: list[Social] = attrs.field(factory=list)
    main_wallet: str | None = None

    def age_days(self) -> int | None:
        if self.calculated is None:
            return None
        return (datetime.now(timezone.utc) - self.calculated).days

    def social(self, network: str) -> Social | None:
        return next((s for s in self.socials if s.source == network), None)


@attrs.frozen
class Credential:
    id: str
    type: str
    category: str
    score: float = 0.0
    value: str | None = None
    earned_at: str | None = None


converter = cattrs.Converter()


@converter.register_structure_hook
def _datetime(raw: str, _) -> datetime:
    return datetime.fromisoformat(raw.replace("Z", "+00:00"))


converter.register_structure_hook(
    Passport,
    make_dict_structure_fn(
        Passport,
        converter,
        human=override(rename="human_checkmark"),
        calculated=override(rename="last_calculated_at"),
        profile=override(rename="passport_profile"),
        socials=override(rename="passport_socials"),
    ),
)
