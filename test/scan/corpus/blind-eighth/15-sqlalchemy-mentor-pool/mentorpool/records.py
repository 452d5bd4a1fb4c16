"""Rows as the pool knows them, cut out of the service's JSON."""
from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Mapping


def parse_time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


@dataclass(slots=True, frozen=True)
class MentorRow:
    external_id: int
    name: str
    town: str | None
    points: float
    skill_points: float
    human: bool
    network_size: int
    topics: tuple[str, ...]
    wallets: tuple[str, ...]
    computed_at: datetime | None

    @classmethod
    def from_api(cls, data: Mapping[str, Any]) -> "MentorRow":
        profile = data["passport_profile"]
        return cls(
            external_id=data["passport_id"],
            name=profile.get("display_name") or data["main_wallet"],
            town=profile.get("location"),
            points=float(data["score"]),
            skill_points=float(data["skills_score"]),
            human=bool(data["human_checkmark"]),
            network_size=data.get("connections_count", 0),
            topics=tuple(profile.get("tags") or ()),
            wallets=tuple(w.lower() for w in data["verified_wallets"]),
            computed_at=parse_time(data["last_calculated_at"]),
        )


@dataclass(slots=True, frozen=True)
class ProofRow:
    external_id: str
    label: str
    kind: str
    area: str
    points: float
    ceiling: float | None
    text: str | None
    earned: str | None

    @classmethod
    def from_api(cls, data: Mapping[str, Any]) -> "ProofRow":
        return cls(
            external_id=str(data["id"]),
            label=data["name"],
            kind=data["type"],
            area=data["category"],
            points=data["score"],
            ceiling=data.get("max_score"),
            text=data.get("value"),
            earned=data.get("earned_at"),
        )


@dataclass(slots=True, frozen=True)
class LinkRow:
    network: str
    url: str
    followers: int

    @classmethod
    def from_api(cls, data: Mapping[str, Any]) -> "LinkRow":
        raw = data.get("follower_count") or "0"
        return cls(network=data["source"], url=data["profile_url"] or "", followers=int(raw))
