from __future__ import annotations

import msgspec


class Social(msgspec.Struct):
    source: str
    profile_name: str | None = None
    profile_url: str | None = None
    profile_image_url: str | None = None


class PlayerProfile(msgspec.Struct):
    display_name: str | None
    bio: str | None = None
    tags: list[str] = []


class Player(msgspec.Struct):
    passport_id: int
    score: float
    activity_score: float
    human_checkmark: bool
    passport_profile: PlayerProfile
    calculating_score: bool = False
    passport_socials: list[Social] = []

    @property
    def name(self) -> str:
        return self.passport_profile.display_name or f"Player {self.passport_id}"

    def avatar(self) -> str | None:
        return next((s.profile_image_url for s in self.passport_socials if s.profile_image_url), None)


class PlayerEnvelope(msgspec.Struct):
    passport: Player


class Roster(msgspec.Struct):
    passports: list[Player]


class DndMonster(msgspec.Struct):
    name: str
    type: str
    hit_points: int
    challenge_rating: float = 0
