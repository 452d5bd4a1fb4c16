import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Settings:
    redis_dsn: str = field(default_factory=lambda: os.environ.get("REDIS_DSN", "redis://localhost:6379/0"))
    gateway: str = field(default_factory=lambda: os.environ["GATEWAY_URL"])
    gateway_token: str = field(default_factory=lambda: os.environ.get("GATEWAY_TOKEN", ""))
    deepl_url: str = "https://api-free.deepl.com/v2"
    deepl_key: str = field(default_factory=lambda: os.environ.get("DEEPL_KEY", ""))

    @property
    def reputation(self) -> str:
        return f"{self.gateway}/reputation/api/v1"
