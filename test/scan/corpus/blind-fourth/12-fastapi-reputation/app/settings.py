from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    talent_base_url: str = "https://api.talentprotocol.com"
    talent_api_key: str = ""
    min_score: int = 30


settings = Settings()
