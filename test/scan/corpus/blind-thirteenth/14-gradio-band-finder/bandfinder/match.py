from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from rapidfuzz import fuzz

from .records import Musician

INSTRUMENTS = ("guitar", "bass", "drums", "keys", "vocals", "violin", "sax")


@dataclass
class Match:
    id: int
    name: str
    city: str
    instruments: list[str]
    score: float
    fit: float

    def row(self) -> list:
        return [self.id, self.name, self.city, ", ".join(self.instruments), round(self.score), f"{self.fit:.0%}"]


def instruments(m: Musician) -> list[str]:
    profile = m.passport_profile
    words = " ".join([profile.bio or "", *profile.tags]).lower()
    return [i for i in INSTRUMENTS if i in words]


def fit(m: Musician, wanted: list[str], city: str) -> float:
    overlap = len(set(instruments(m)) & set(wanted)) / max(len(wanted), 1)
    near = fuzz.partial_ratio(city.lower(), (m.passport_profile.location or "").lower()) / 100 if city else 0.5
    social = min(m.connections_count, 50) / 50
    fresh = 0.0
    if m.last_calculated_at and datetime.now(timezone.utc) - m.last_calculated_at < timedelta(days=45):
        fresh = min(m.activity_score, 40) / 40
    return 0.5 * overlap + 0.3 * near + 0.1 * social + 0.1 * fresh


def rank(people: list[Musician], wanted: list[str], city: str, floor: float) -> list[Match]:
    matches = [
        Match(
            id=m.passport_id,
            name=m.name,
            city=m.passport_profile.location or "?",
            instruments=instruments(m),
            score=m.score or 0,
            fit=fit(m, wanted, city),
        )
        for m in people
    ]
    return sorted((x for x in matches if x.score >= floor), key=lambda x: (x.fit, x.score), reverse=True)
