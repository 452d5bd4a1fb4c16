from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from . import settings

PASSPORT = "/api/v1/passports/{}"
CREDENTIALS = "/api/v1/passport_credentials"

_session = requests.Session()
_session.mount("https://", HTTPAdapter(max_retries=Retry(total=3, backoff_factor=1, status_forcelist=[429, 502, 503])))


def call(path, **params):
    response = _session.get(
        urljoin(settings.TALENT_API_URL, path),
        params=params,
        headers={"X-API-KEY": settings.TALENT_API_KEY},
        timeout=30,
    )
    return response.json()


def get_passport(wallet):
    return call(PASSPORT.format(wallet)).get("passport")


def get_credentials(passport_id):
    body = call(CREDENTIALS, passport_id=passport_id)
    if "error" in body:
        return []
    return body["passport_credentials"]
