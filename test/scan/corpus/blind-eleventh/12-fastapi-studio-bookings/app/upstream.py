from pydantic import BaseModel, ConfigDict, Field, field_validator


class Upstream(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="ignore")


class ArtistProfile(Upstream):
    display_name: str | None
    bio: str = ""
    tags: list[str] = Field(default_factory=list)


class ArtistSocial(Upstream):
    network: str = Field(alias="source")
    handle: str | None = Field(default=None, alias="profile_name")
    followers: int = Field(default=0, alias="follower_count")

    @field_validator("followers", mode="before")
    @classmethod
    def blank_is_zero(cls, v):
        return v or 0


class Artist(Upstream):
    passport_id: int
    score: int | None
    human: bool = Field(False, alias="human_checkmark")
    wallet: str | None = Field(None, alias="main_wallet")
    profile: ArtistProfile = Field(alias="passport_profile")
    socials: list[ArtistSocial] = Field(default_factory=list, alias="passport_socials")

    @property
    def reach(self) -> int:
        return max((s.followers for s in self.socials), default=0)


class ArtistEnvelope(Upstream):
    passport: Artist


class Credit(Upstream):
    id: str
    name: str
    kind: str = Field(alias="type")
    points: float = Field(alias="score")
    ceiling: float | None = Field(None, alias="max_score")


class CreditsEnvelope(Upstream):
    credits: list[Credit] = Field(alias="passport_credentials")
