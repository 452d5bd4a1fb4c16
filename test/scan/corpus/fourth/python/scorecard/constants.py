import os

HOST = os.environ.get("REP_HOST", "https://rep.example.org")
PREFIX = "/api/v1"

PASSPORTS_URL = HOST + PREFIX + "/passports"
CREDENTIALS_URL = HOST + PREFIX + "/passport_credentials"

# the airline's booking API, nothing to do with reputation
AIRLINE_URL = "https://air.example.com/v1/passport"

TIMEOUT = 10
DEFAULT_HEADERS = {
    "Accept": "application/json",
    "X-API-KEY": os.environ.get("REP_KEY", ""),
}
