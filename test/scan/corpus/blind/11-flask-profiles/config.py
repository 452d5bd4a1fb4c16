import os


class Config:
    TALENT_URL = os.environ.get("TALENT_URL", "https://api.talentprotocol.com/api/v1")
    TALENT_KEY = os.environ.get("TALENT_KEY", "")
    CACHE_TYPE = "SimpleCache"
    CACHE_DEFAULT_TIMEOUT = 300
    SECRET_KEY = os.environ.get("SECRET_KEY", "dev")
