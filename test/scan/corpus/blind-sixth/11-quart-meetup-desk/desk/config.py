import os
from dataclasses import dataclass

from dotenv import load_dotenv


@dataclass
class Config:
    REPUTATION_URL: str
    REPUTATION_KEY: str
    VIP_SCORE: int = 60
    EVENT_NAME: str = "Builders Night"

    @classmethod
    def from_env(cls) -> "Config":
        load_dotenv()
        return cls(
            REPUTATION_URL=os.getenv("REPUTATION_URL", "https://api.talentprotocol.com/api/v1"),
            REPUTATION_KEY=os.getenv("REPUTATION_KEY", ""),
            VIP_SCORE=int(os.getenv("VIP_SCORE", "60")),
            EVENT_NAME=os.getenv("EVENT_NAME", "Builders Night"),
        )
