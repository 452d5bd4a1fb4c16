from typing import NotRequired, TypedDict


class ProfileDoc(TypedDict):
    display_name: str | None
    bio: str | None
    location: str | None
    tags: list[str]


class SocialDoc(TypedDict):
    source: str
    profile_name: str | None
    following_count: NotRequired[str]


class PassportDoc(TypedDict):
    passport_id: int
    main_wallet: str | None
    score: float
    activity_score: float
    passport_profile: ProfileDoc
    merged: NotRequired[bool]
    passport_socials: NotRequired[list[SocialDoc]]


class CredentialDoc(TypedDict):
    id: str
    type: str
    value: str | None
    last_calculated_at: str | None
