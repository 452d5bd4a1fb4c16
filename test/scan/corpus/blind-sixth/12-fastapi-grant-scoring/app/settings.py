from functools import lru_cache

from pydantic import HttpUrl, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="GRANTS_", env_file=".env")

    talent_host: HttpUrl = HttpUrl("https://api.talentprotocol.com")
    talent_api_key: SecretStr | None = None
    min_human_ratio: float = 0.5
    skills_weight: float = 0.6
    activity_weight: float = 0.3


@lru_cache
def get_settings() -> Settings:
    return Settings()
