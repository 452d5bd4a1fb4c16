import os


class Config:
    SECRET_KEY = os.environ.get("SECRET_KEY", "dev")
    CACHE_TYPE = "SimpleCache"
    CACHE_DEFAULT_TIMEOUT = 900

    TALENT_API_ROOT = os.environ.get("TALENT_API_ROOT", "https://api.talentprotocol.com")
    TALENT_API_KEY = os.environ.get("TALENT_API_KEY")
    GBIF_ROOT = "https://api.gbif.org/v1"

    BASE_PACKETS = 3
    MAX_PACKETS = 12
