from functools import lru_cache

from pydantic import HttpUrl, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", env_prefix="DESK_")

    talent_origin: HttpUrl = HttpUrl("https://api.talentprotocol.com")
    talent_key: SecretStr = SecretStr("")
    openalex_origin: HttpUrl = HttpUrl("https://api.openalex.org")
    min_skills: float = 25


@lru_cache
def get_settings() -> Settings:
    return Settings()
