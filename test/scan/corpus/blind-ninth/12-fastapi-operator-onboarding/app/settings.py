from functools import lru_cache

from pydantic import HttpUrl, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", env_prefix="ONBOARDING_")

    talent_api: HttpUrl = HttpUrl("https://api.talentprotocol.com/api/v1/")
    talent_key: SecretStr = SecretStr("")
    beacon_api: HttpUrl = HttpUrl("https://beaconcha.in/api/v1/")
    min_identity: float = 15
    min_total: float = 60


@lru_cache
def get_settings() -> Settings:
    return Settings()
