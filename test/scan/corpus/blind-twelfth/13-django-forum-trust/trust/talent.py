from urllib.parse import urljoin

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry


class TalentClient:
    """Thin wrapper so that the tasks do not deal with HTTP."""

    def __init__(self, base_url=None, api_key=None):
        self.base_url = base_url or settings.TALENT["BASE_URL"]
        self.session = requests.Session()
        self.session.headers["X-API-KEY"] = api_key or settings.TALENT["API_KEY"]
        self.session.mount("https://", HTTPAdapter(max_retries=Retry(3, backoff_factor=1, status_forcelist=[502, 503])))

    def _request(self, path, **params):
        response = self.session.get(urljoin(self.base_url, path), params=params, timeout=15)
        response.raise_for_status()
        return response.json()

    def get_passport(self, wallet_or_id):
        return self._request(f"passports/{wallet_or_id}")["passport"]

    def get_credentials(self, passport_id):
        return self._request("passport_credentials", passport_id=passport_id).get("passport_credentials", [])

    def iter_passports(self, keyword=None):
        page = 1
        while True:
            data = self._request("passports", keyword=keyword, page=page)
            yield from data["passports"]
            if page >= data["pagination"]["last_page"]:
                return
            page += 1
