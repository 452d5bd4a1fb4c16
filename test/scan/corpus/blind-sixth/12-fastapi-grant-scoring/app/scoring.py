from pydantic import BaseModel

from .settings import Settings
from .upstream import Credential, FullPassport


class Applicant(BaseModel):
    """What the review committee sees."""

    passport_id: int
    label: str
    points: float
    human: bool
    reach: int
    stale: bool
    highlights: list[str]


def weighted(p: FullPassport, s: Settings) -> float:
    rest = 1 - s.skills_weight - s.activity_weight
    return p.skills * s.skills_weight + p.activity * s.activity_weight + p.identity * rest


def highlights(items: list[Credential], top: int = 3) -> list[str]:
    full = [c for c in items if c.ceiling and c.points / c.ceiling > 0.8]
    full.sort(key=lambda c: c.points, reverse=True)
    return [f"{c.name}: {c.text}" if c.text else c.name for c in full[:top]]


def review(p: FullPassport, items: list[Credential], s: Settings) -> Applicant:
    reach = sum(x.followers or 0 for x in p.socials if x.network in {"farcaster", "lens"})
    return Applicant(
        passport_id=p.id,
        label=p.profile.name or (p.wallets[0] if p.wallets else f"#{p.id}"),
        points=round(weighted(p, s), 2),
        human=p.human,
        reach=reach,
        stale=p.pending or p.calculated_at is None,
        highlights=highlights(items),
    )
