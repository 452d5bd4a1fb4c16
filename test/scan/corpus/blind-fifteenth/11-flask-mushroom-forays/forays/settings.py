import os

SECRET_KEY = os.environ.get("SECRET_KEY", "dev")

TALENT_BASE_URL = os.environ.get("TALENT_BASE_URL", "https://api.talentprotocol.com/api/v1")
TALENT_API_KEY = os.environ.get("TALENT_API_KEY")

INATURALIST_URL = "https://api.inaturalist.org/v1"

CACHE_TYPE = os.environ.get("CACHE_TYPE", "SimpleCache")
CACHE_DEFAULT_TIMEOUT = 900

# A foray into a protected forest wants a leader above this line.
LEADER_MIN_SCORE = int(os.environ.get("LEADER_MIN_SCORE", "45"))
