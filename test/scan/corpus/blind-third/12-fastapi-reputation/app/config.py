from functools import lru_cache

from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    talent_api_url: str = "https://api.talentprotocol.com/api/v1"
    talent_api_key: str = ""
    min_score: int = 30


@lru_cache
def get_settings() -> Settings:
    return Settings()
