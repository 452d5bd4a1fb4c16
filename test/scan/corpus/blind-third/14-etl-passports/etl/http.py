import os

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

BASE_URL = os.environ.get("TALENT_API_BASE", "https://api.talentprotocol.com/api/v1").rstrip("/")


def make_session() -> requests.Session:
    session = requests.Session()
    retry = Retry(total=5, backoff_factor=1.5, status_forcelist=[429, 500, 502, 503])
    session.mount("https://", HTTPAdapter(max_retries=retry))
    session.headers["X-API-KEY"] = os.environ["TALENT_API_KEY"]
    return session


def get_json(session: requests.Session, path: str, **params) -> dict:
    response = session.get(f"{BASE_URL}{path}", params=params, timeout=30)
    response.raise_for_status()
    return response.json()
