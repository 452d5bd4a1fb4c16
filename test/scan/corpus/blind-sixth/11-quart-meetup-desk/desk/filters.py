from datetime import datetime

from quart import Quart


def short_wallet(value: str | None) -> str:
    if not value:
        return "no wallet"
    return f"{value[:6]}…{value[-4:]}"


def when(value: str | None) -> str:
    if not value:
        return "never"
    return datetime.fromisoformat(value.replace("Z", "+00:00")).strftime("%d %b %Y")


def handle_for(passport: dict, network: str) -> str:
    for social in passport.get("passport_socials") or []:
        if social["source"] == network:
            return social["profile_name"]
    return ""


def register_filters(app: Quart) -> None:
    app.jinja_env.filters["short_wallet"] = short_wallet
    app.jinja_env.filters["when"] = when
    app.jinja_env.globals["handle_for"] = handle_for
