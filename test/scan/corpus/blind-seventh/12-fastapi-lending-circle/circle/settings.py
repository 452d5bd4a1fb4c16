from functools import lru_cache

from pydantic import HttpUrl, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="CIRCLE_", env_file=".env")

    talent_host: HttpUrl = HttpUrl("https://api.talentprotocol.com")
    talent_key: SecretStr | None = None
    base_limit: int = 200
    max_limit: int = 2500


@lru_cache
def get_settings() -> Settings:
    return Settings()
