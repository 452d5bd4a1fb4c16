from datetime import datetime
from functools import lru_cache

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", env_prefix="PRESALE_")

    talent_base_url: str = "https://api.talentprotocol.com"
    talent_api_key: SecretStr = SecretStr("")
    alchemy_base_url: str = "https://eth-mainnet.g.alchemy.com"
    alchemy_key: SecretStr = SecretStr("")
    collection: str = "0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"
    opens_at: datetime
    vip_score: int = 90


@lru_cache
def get_settings() -> Settings:
    return Settings()
