from functools import lru_cache

from pydantic import AnyHttpUrl, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="CLINIC_", env_file=".env")

    reputation_url: AnyHttpUrl = AnyHttpUrl("https://api.talentprotocol.com")
    reputation_key: SecretStr = SecretStr("")
    bar_registry_url: AnyHttpUrl = AnyHttpUrl("https://registry.bar.example.org")
    intake_threshold: int = 30


@lru_cache
def get_settings() -> Settings:
    return Settings()
