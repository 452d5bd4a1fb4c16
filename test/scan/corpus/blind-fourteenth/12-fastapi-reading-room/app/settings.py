from functools import lru_cache

from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env")

    talent_base_url: str = "https://api.talentprotocol.com"
    talent_api_key: str = ""
    openlibrary_url: str = "https://openlibrary.org"
    loan_limit_default: int = 2
    trusted_score: float = 75


@lru_cache
def get_settings() -> Settings:
    return Settings()
