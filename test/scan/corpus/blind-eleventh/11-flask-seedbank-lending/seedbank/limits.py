from datetime import datetime, timezone

from flask import current_app

TRUSTED_TYPES = {"active_wallet", "github", "linkedin"}


def packets_for(passport: dict | None, badges: list[dict]) -> int:
    base = current_app.config["BASE_PACKETS"]
    if passport is None:
        return 0
    if passport["calculating_score"]:
        return base
    allowance = base + int(passport.get("score") or 0) // 20
    if passport.get("human_checkmark"):
        allowance += 2
    allowance += sum(1 for b in badges if b["type"] in TRUSTED_TYPES and b["score"] > 0)
    return min(allowance, current_app.config["MAX_PACKETS"])


def is_stale(passport: dict, days: int = 60) -> bool:
    stamp = passport["last_calculated_at"]
    if not stamp:
        return True
    age = datetime.now(timezone.utc) - datetime.fromisoformat(stamp.replace("Z", "+00:00"))
    return age.days > days
