from dataclasses import dataclass, field
from datetime import datetime

from .extract import PassportDict


@dataclass
class BuilderRow:
    id: int
    name: str
    points: int
    wallet: str
    country: str
    updated: datetime | None
    skills: str = ""
    badges: list[str] = field(default_factory=list)


def parse_time(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value.replace("Z", "+00:00")) if value else None


def to_row(record: PassportDict, credentials: list[dict]) -> BuilderRow:
    profile = record["passport_profile"] or {}
    wallets = record["verified_wallets"]
    return BuilderRow(
        id=record["passport_id"],
        name=profile.get("display_name", "").strip(),
        points=record["score"],
        wallet=record["main_wallet"] or (wallets[0] if wallets else ""),
        country=(profile.get("location") or "").split(",")[-1].strip(),
        updated=parse_time(record["last_calculated_at"]),
        skills="|".join(profile.get("tags", [])),
        badges=sorted({c["type"] for c in credentials if c.get("earned_at")}),
    )
