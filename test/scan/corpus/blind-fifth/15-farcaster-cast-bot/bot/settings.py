from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    talent_url: str = "https://api.talentprotocol.com/api/v1"
    talent_key: str = ""
    neynar_key: str
    signer_uuid: str
    channel: str = "builders"
    milestone: int = 25
    state_file: str = "state.json"


settings = Settings()
