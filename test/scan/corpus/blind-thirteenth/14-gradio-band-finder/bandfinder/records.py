from datetime import datetime

import msgspec


class Profile(msgspec.Struct):
    display_name: str | None
    bio: str | None = None
    location: str | None = None
    tags: list[str] = []


class Social(msgspec.Struct):
    source: str
    url: str | None = msgspec.field(name="profile_url", default=None)
    image: str | None = msgspec.field(name="profile_image_url", default=None)
    followers: str | int | None = msgspec.field(name="follower_count", default="0")


class Musician(msgspec.Struct):
    passport_id: int
    score: float | None
    passport_profile: Profile
    activity_score: float = 0
    connections_count: int = 0
    last_calculated_at: datetime | None = None
    passport_socials: list[Social] = []

    @property
    def name(self) -> str:
        return self.passport_profile.display_name or f"#{self.passport_id}"

    @property
    def picture(self) -> str | None:
        return next((s.image for s in self.passport_socials if s.image), None)


class MusicianPage(msgspec.Struct):
    passports: list[Musician]


class MusicianEnvelope(msgspec.Struct):
    passport: Musician


class Track(msgspec.Struct, rename="camel"):
    track_name: str
    artist_name: str
    preview_url: str | None = None
