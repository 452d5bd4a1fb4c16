from pathlib import Path

from prefect.blocks.system import Secret
from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    talent_host: str = "https://api.talentprotocol.com"
    talent_prefix: str = "/api/v1"
    registry_url: str = "https://registry.verra.org/uiapi"
    warehouse: Path = Path("data/auditors.duckdb")
    max_pages: int = 20

    model_config = {"env_prefix": "AUDITORS_"}


settings = Settings()


def talent_headers() -> dict[str, str]:
    return {"X-API-KEY": Secret.load("talent-api-key").get()}
