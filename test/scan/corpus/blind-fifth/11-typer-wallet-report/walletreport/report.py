from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timezone

from rich.table import Table

STALE_DAYS = 30


def age_in_days(passport: dict) -> int | None:
    stamp = passport.get("last_calculated_at")
    if not stamp:
        return None
    when = datetime.fromisoformat(stamp.replace("Z", "+00:00"))
    return (datetime.now(timezone.utc) - when).days


def overview(passports: list[dict]) -> Table:
    table = Table(title="Wallets")
    for column in ("name", "wallet", "score", "activity", "identity", "skills", "human", "age"):
        table.add_column(column)
    for p in sorted(passports, key=lambda p: p["score"], reverse=True):
        profile = p.get("passport_profile") or {}
        days = age_in_days(p)
        table.add_row(
            profile.get("display_name", "-"),
            p["main_wallet"],
            "…" if p["calculating_score"] else str(p["score"]),
            str(p["activity_score"]),
            str(p["identity_score"]),
            str(p["skills_score"]),
            "yes" if p["human_checkmark"] else "no",
            "?" if days is None else f"{days}d" + (" (stale)" if days > STALE_DAYS else ""),
        )
    return table


def credential_summary(credentials: list[dict]) -> dict[str, tuple[float, float]]:
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for c in credentials:
        totals[c["category"]][0] += c["score"]
        totals[c["category"]][1] += c["max_score"]
    return {k: (got, most) for k, (got, most) in totals.items()}


def followers(passport: dict) -> dict[str, int]:
    out = {}
    for social in passport["passport_socials"]:
        out[social["source"]] = int(social.get("follower_count") or 0)
    return out
