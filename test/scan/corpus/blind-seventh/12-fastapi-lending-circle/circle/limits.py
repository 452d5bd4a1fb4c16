from collections import Counter
from datetime import datetime, timedelta, timezone

from .settings import Settings
from .upstream import Credential, Passport

STALE = timedelta(days=60)


def reasons_against(member: Passport) -> list[str]:
    reasons = []
    if not member.human:
        reasons.append("no human checkmark")
    if member.busy:
        reasons.append("score is being calculated, come back later")
    if member.calculated is None or datetime.now(timezone.utc) - member.calculated > STALE:
        reasons.append("score is older than 60 days")
    if not member.wallets:
        reasons.append("no verified wallet")
    return reasons


def credit_limit(member: Passport, proofs: list[Credential], settings: Settings) -> int:
    limit = settings.base_limit + 5 * member.score + 3 * member.identity
    per_category = Counter()
    for proof in proofs:
        per_category[proof.category] += proof.score
    if per_category["Activity"] > 20:
        limit *= 1.25
    if any(p.type == "world_id" and p.value for p in proofs):
        limit += 150
    reach = max((s.followers or 0 for s in member.socials), default=0)
    if reach > 1000:
        limit += 50
    return min(int(limit), settings.max_limit)
