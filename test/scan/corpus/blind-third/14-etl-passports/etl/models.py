from __future__ import annotations

from dataclasses import astuple, dataclass


@dataclass(frozen=True)
class PassportRow:
    passport_id: int
    wallet: str | None
    name: str | None
    country: str | None
    score: float
    activity: float
    identity: float
    skills: float
    wallets: int
    calculated_at: str | None

    @classmethod
    def from_api(cls, raw: dict) -> PassportRow:
        profile = raw.get("passport_profile") or {}
        return cls(
            passport_id=raw["passport_id"],
            wallet=raw.get("main_wallet"),
            name=profile.get("display_name"),
            country=(profile.get("location") or "").split(",")[-1].strip() or None,
            score=raw["score"],
            activity=raw.get("activity_score", 0),
            identity=raw.get("identity_score", 0),
            skills=raw.get("skills_score", 0),
            wallets=len(raw["verified_wallets"]),
            calculated_at=raw["last_calculated_at"],
        )

    def as_tuple(self) -> tuple:
        return astuple(self)


@dataclass(frozen=True)
class CredentialRow:
    passport_id: int
    type: str
    category: str
    score: float
    max_score: float

    @classmethod
    def from_api(cls, passport_id: int, raw: dict) -> CredentialRow:
        return cls(passport_id, raw["type"], raw["category"], raw["score"], raw.get("max_score", 0))

    def as_tuple(self) -> tuple:
        return astuple(self)
