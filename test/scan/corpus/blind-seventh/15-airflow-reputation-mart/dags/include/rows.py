"""From API records to tuples for the warehouse. The order is the order of the columns in sql/mart.sql."""

from collections.abc import Iterable

PASSPORT_FIELDS = (
    "passport_id",
    "main_wallet",
    "score",
    "activity_score",
    "identity_score",
    "skills_score",
    "human_checkmark",
    "last_calculated_at",
)


def passport_row(passport: dict, snapshot: str) -> tuple:
    profile = passport["passport_profile"] or {}
    return (
        snapshot,
        *(passport.get(field) for field in PASSPORT_FIELDS),
        profile.get("display_name"),
        profile.get("location"),
        ",".join(profile.get("tags") or []),
    )


def credential_rows(passport_id: int, credentials: Iterable[dict], snapshot: str) -> list[tuple]:
    return [
        (
            snapshot,
            passport_id,
            c["id"],
            c["type"],
            c["category"],
            c["name"],
            c["score"],
            c["max_score"],
            c.get("value"),
            c.get("earned_at") or None,
            c["last_calculated_at"],
        )
        for c in credentials
    ]


def audience_row(passport: dict) -> tuple:
    followers = {}
    for social in passport.get("passport_socials", []):
        try:
            followers[social["source"]] = int(social["follower_count"])
        except (TypeError, ValueError):
            followers[social["source"]] = 0
    return (
        passport.get("passport_id"),
        passport.get("merged", False),
        followers.get("farcaster", 0),
        followers.get("github", 0),
        sum(followers.values()),
    )
