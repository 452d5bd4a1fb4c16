from typing import NotRequired, TypedDict


class Profile(TypedDict):
    display_name: str | None
    bio: str | None
    location: str | None


class Social(TypedDict):
    source: str
    profile_url: str | None
    profile_display_name: str | None
    following_count: str


class Passport(TypedDict):
    passport_id: int
    score: int
    identity_score: int
    human_checkmark: bool
    merged: NotRequired[bool]
    main_wallet: str | None
    verified_wallets: list[str]
    last_calculated_at: str | None
    passport_profile: Profile
    passport_socials: NotRequired[list[Social]]


class Credential(TypedDict):
    id: str
    type: str
    category: str
    value: str | None
    earned_at: str | None


class SourceRow(TypedDict):
    source_id: int
    name: str
    trust: str
    score: int
    links: list[str]
