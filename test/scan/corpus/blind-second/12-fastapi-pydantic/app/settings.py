from functools import lru_cache

from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env")

    talent_api_url: str = "https://api.talentprotocol.com/api/v1"
    talent_api_key: str
    stale_after_days: int = 30


@lru_cache
def get_settings() -> Settings:
    return Settings()
