from functools import lru_cache

from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    passport_base_url: str
    passport_api_key: str | None = None
    redis_url: str = "redis://localhost:6379/0"

    class Config:
        env_file = ".env"


@lru_cache
def get_settings() -> Settings:
    return Settings()
