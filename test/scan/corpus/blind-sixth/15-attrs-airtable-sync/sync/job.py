from __future__ import annotations

import attrs
import cattrs
import httpx
import structlog

from . import airtable, settings
from .passport_api import QuotaExceeded, load_credentials, load_passport, population_size
from .records import Credential, Passport

log = structlog.get_logger()


@attrs.define
class MentorRow:
    """Column names of the sheet, not of the passport service."""

    Name: str
    Score: float
    Human: bool
    City: str
    Topics: list[str]
    Github: str
    Photo: list[dict]
    Stale: bool
    Evidence: str


def topics(p: Passport, credentials: list[Credential]) -> list[str]:
    earned = {c.type for c in credentials if c.category == "Skills" and c.score > 0}
    return sorted({*p.profile.tags, *earned})


def to_row(p: Passport, credentials: list[Credential]) -> MentorRow:
    github = p.social("github")
    farcaster = p.social("farcaster")
    photo = github.profile_image_url if github else None
    age = p.age_days()
    newest = max(credentials, key=lambda c: c.earned_at or "", default=None)
    return MentorRow(
        Name=p.profile.display_name or p.main_wallet or f"passport {p.passport_id}",
        Score=p.score,
        Human=p.human,
        City=(p.profile.location or "").split(",")[0],
        Topics=topics(p, credentials),
        Github=github.profile_name or "" if github else "",
        Photo=[{"url": photo}] if photo else [],
        Stale=age is None or age > settings.STALE_DAYS,
        Evidence=f"{newest.value} ({newest.id})" if newest else reach(farcaster),
    )


def reach(social) -> str:
    if social is None:
        return ""
    return f"{int(social.follower_count or 0):,} followers"


def run() -> None:
    changes, failed = [], 0
    for record in airtable.rows():
        wallet = record["fields"].get("Wallet")
        if not wallet:
            continue
        try:
            passport = load_passport(wallet)
        except QuotaExceeded:
            log.error("quota.exceeded", done=len(changes))
            break
        except (httpx.HTTPError, cattrs.ClassValidationError) as e:
            log.warning("passport.failed", wallet=wallet, error=repr(e))
            failed += 1
            continue
        row = attrs.asdict(to_row(passport, load_credentials(passport)))
        old = record["fields"]
        diff = {k: v for k, v in row.items() if old.get(k) != v}
        if diff:
            changes.append({"id": record["id"], "fields": diff})
    airtable.update(changes)
    log.info("sync.done", changed=len(changes), failed=failed, population=population_size())
