from functools import lru_cache

from pydantic import HttpUrl, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", env_prefix="STUDIO_")

    talent_base: HttpUrl = HttpUrl("https://api.talentprotocol.com/api/v1/")
    talent_key: SecretStr = SecretStr("")
    stripe_key: SecretStr = SecretStr("")
    deposit_cents: int = 12000
    waive_from: int = 80


@lru_cache
def get_settings() -> Settings:
    return Settings()
