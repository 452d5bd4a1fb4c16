import os
from dataclasses import dataclass, field

from dotenv import load_dotenv

load_dotenv()


@dataclass(frozen=True)
class Config:
    token: str = field(default_factory=lambda: os.environ["DISCORD_TOKEN"])
    guild_id: int = field(default_factory=lambda: int(os.environ["GUILD_ID"]))
    talent_origin: str = field(default_factory=lambda: os.getenv("TALENT_ORIGIN", "https://api.talentprotocol.com"))
    talent_key: str = field(default_factory=lambda: os.getenv("TALENT_KEY", ""))
    tmdb_key: str = field(default_factory=lambda: os.getenv("TMDB_KEY", ""))


CREW_ROLES = {"Gaffer": 20, "First AD": 45, "Director of Photography": 70}
