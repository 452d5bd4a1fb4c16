from pydantic import BaseModel

from .settings import Settings
from .upstream import Artist, Credit

MUSIC_KINDS = {"zora_creator", "sound_xyz", "audius"}


class Quote(BaseModel):
    deposit_cents: int
    score: int
    reasons: list[str] = []


def quote(artist: Artist | None, credits: list[Credit], settings: Settings) -> Quote:
    if artist is None:
        return Quote(deposit_cents=settings.deposit_cents, score=0)

    result = Quote(deposit_cents=settings.deposit_cents, score=artist.score or 0)
    if artist.human:
        result.deposit_cents -= 2000
        result.reasons.append("verified human")
    if artist.reach > 5000:
        result.deposit_cents -= 1500
        result.reasons.append("known performer")
    music = [c for c in credits if c.kind in MUSIC_KINDS]
    if music:
        best = max(music, key=lambda c: c.points)
        share = best.points / best.ceiling if best.ceiling else 0
        result.deposit_cents -= int(3000 * share)
        result.reasons.append(best.name)
    if result.score >= settings.waive_from:
        result.deposit_cents = 0
    return result
