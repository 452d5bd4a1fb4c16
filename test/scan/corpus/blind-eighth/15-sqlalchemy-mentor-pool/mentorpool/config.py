import os
from dataclasses import dataclass, field


def _env(name, default=None):
    value = os.environ.get(name, default)
    if value is None:
        raise SystemExit(f"{name} is not set")
    return value


@dataclass(frozen=True)
class Config:
    database_url: str = field(default_factory=lambda: _env("DATABASE_URL", "sqlite:///pool.db"))
    api_base: str = field(default_factory=lambda: _env("PASSPORTS_API_BASE", "https://api.talentprotocol.com"))
    api_key: str = field(default_factory=lambda: _env("PASSPORTS_API_KEY"))
    keyword: str | None = field(default_factory=lambda: os.environ.get("POOL_KEYWORD"))
    max_pages: int = field(default_factory=lambda: int(_env("POOL_MAX_PAGES", "200")))
