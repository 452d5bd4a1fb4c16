import os
from dataclasses import dataclass


@dataclass
class Settings:
    rep_host: str = os.getenv("REP_HOST", "rep.example.org")
    rep_key: str = os.getenv("REP_KEY", "")
    score: int = 10

    @property
    def rep_url(self) -> str:
        return f"https://{self.rep_host}/api/v1"

    def headers(self) -> dict:
        return {"X-API-KEY": self.rep_key}


settings = Settings()
