import os

TALENT_API_ROOT = os.environ.get("TALENT_API_ROOT", "https://api.talentprotocol.com/api/v1")
TALENT_API_KEY = os.environ.get("TALENT_API_KEY", "")
TALENT_CACHE_SECONDS = 60 * 60
