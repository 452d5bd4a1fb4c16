from functools import lru_cache

from pydantic import HttpUrl, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="HOUSING_", env_file=".env")

    # e.g. https://api.talentprotocol.com/api/v1
    passport_api: HttpUrl
    passport_api_key: SecretStr
    reference_minimum: int = 30
    require_human: bool = True


@lru_cache
def get_settings() -> Settings:
    return Settings()
