from datetime import datetime
from typing import Annotated

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

Count = Annotated[int, BeforeValidator(lambda v: int(v or 0))]


class Upstream(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Social(Upstream):
    source: str
    handle: str | None = Field(default=None, alias="profile_name")
    url: str | None = Field(alias="profile_url")
    followers: Count = Field(default=0, alias="follower_count")


class Profile(Upstream):
    display_name: str | None
    location: str | None = None
    tags: list[str] = []


class Passport(Upstream):
    id: int = Field(alias="passport_id")
    score: float
    identity_score: float = 0
    human: bool = Field(alias="human_checkmark")
    wallets: list[str] = Field(default_factory=list, alias="verified_wallets")
    calculated_at: datetime | None = Field(default=None, alias="last_calculated_at")
    profile: Profile = Field(alias="passport_profile")
    socials: list[Social] = Field(default_factory=list, alias="passport_socials")

    @property
    def github(self) -> Social | None:
        return next((s for s in self.socials if s.source == "github"), None)

    def owns(self, wallet: str) -> bool:
        return wallet.lower() in {w.lower() for w in self.wallets}


class Credential(Upstream):
    type: str
    category: str
    score: float = 0
    max_score: float | None
    earned_at: str | None = None


class PassportEnvelope(Upstream):
    passport: Passport


class CredentialEnvelope(Upstream):
    passport_credentials: list[Credential]


class PassportPage(Upstream):
    passports: list[Passport]
    total: int = Field(validation_alias=AliasPath("pagination", "total"))


class Verdict(BaseModel):
    wallet: str
    accepted: bool
    score: float
    display_name: str | None
    github: str | None
    reasons: list[str] = []
    coverage: dict[str, float] = {}
