from dataclasses import dataclass, field
from typing import List, Optional


@dataclass
class Credential:
    id: str
    type: str
    score: float
    earned_at: Optional[str] = None

    @classmethod
    def from_dict(cls, d):
        return cls(id=d["id"], type=d["type"], score=d.get("score", 0), earned_at=d.get("earned_at"))  # read: passport_credentials[].id, passport_credentials[].type, passport_credentials[].score, passport_credentials[].earned_at; hazard: fallback-default


@dataclass
class Holder:
    passport_id: int
    name: str
    wallets: List[str] = field(default_factory=list)

    @classmethod
    def from_dict(cls, raw):
        return cls(
            passport_id=raw["passport_id"],  # read: passport.passport_id
            name=raw["passport_profile"]["display_name"],  # read: passport.passport_profile.display_name
            wallets=raw.get("verified_wallets") or [],  # read: passport.verified_wallets[]; hazard: fallback-default
        )
