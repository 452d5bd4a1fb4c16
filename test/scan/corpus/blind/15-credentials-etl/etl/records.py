from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass
class CredentialRow:
    credential_id: str
    owner: int
    kind: str
    group: str
    points: float
    ratio: float
    text: str
    day: date


def to_row(owner: int, raw: dict) -> CredentialRow:
    return CredentialRow(
        credential_id=raw["id"],
        owner=owner,
        kind=raw["type"],
        group=raw["category"].lower(),
        points=raw["score"],
        ratio=raw["score"] / raw["max_score"] if raw["max_score"] else 0.0,
        text=raw.get("value") or "",
        day=date.fromisoformat(raw["last_calculated_at"][:10]),
    )
