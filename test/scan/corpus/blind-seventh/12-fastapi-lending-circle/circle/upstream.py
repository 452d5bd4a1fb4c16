"""What the passport service sends, and how we ask for it."""

from datetime import datetime
from typing import Annotated

import httpx
from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class Upstream(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="ignore")


class Profile(Upstream):
    name: str | None = Field(default=None, alias="display_name")
    town: str | None = Field(default=None, alias="location")
    tags: list[str] = []


class Social(Upstream):
    source: str
    handle: str | None = Field(default=None, alias="profile_name")
    followers: int | None = Field(default=None, alias="follower_count")


class Passport(Upstream):
    id: int = Field(alias="passport_id")
    score: float
    identity: float = Field(alias="identity_score")
    activity: float = Field(default=0, alias="activity_score")
    human: bool = Field(alias="human_checkmark")
    busy: bool = Field(default=False, alias="calculating_score")
    calculated: datetime | None = Field(alias="last_calculated_at")
    wallet: str | None = Field(default=None, alias="main_wallet")
    wallets: list[str] = Field(default_factory=list, alias="verified_wallets")
    profile: Profile = Field(alias="passport_profile")
    socials: list[Social] = Field(default_factory=list, alias="passport_socials")


class PassportEnvelope(Upstream):
    passport: Passport


class Credential(Upstream):
    type: str
    category: str
    score: float
    value: str | None = None
    earned_at: str | None = None


class CredentialsEnvelope(Upstream):
    items: list[Credential] = Field(alias="passport_credentials")


class UpstreamDown(Exception):
    pass


class TalentGateway:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def member(self, wallet: str) -> Passport:
        try:
            res = await self._http.get(f"/passports/{wallet.lower()}")
            res.raise_for_status()
            return PassportEnvelope.model_validate_json(res.content).passport
        except (httpx.HTTPError, ValidationError) as exc:
            raise UpstreamDown(str(exc)) from exc

    async def proofs(self, passport_id: int) -> list[Credential]:
        res = await self._http.get("/passport_credentials", params={"passport_id": passport_id})
        if res.is_error:
            return []
        return CredentialsEnvelope.model_validate(res.json()).items


def gateway(request: Request) -> TalentGateway:
    return TalentGateway(request.app.state.http)


Gateway = Annotated[TalentGateway, Depends(gateway)]
