from urllib.parse import urljoin

import requests


class Client:
    ROOT = "https://rep.example.org/api/v1/"

    def __init__(self, key):
        self._session = requests.Session()
        self._session.headers.update({"X-API-KEY": key})

    def _get(self, path, **params):
        res = self._session.get(urljoin(self.ROOT, path), params=params)
        if res.status_code != 200:  # hazard: status-default
            return {}
        return res.json()

    def people(self, keyword=None):
        return self._get("passports", keyword=keyword).get("passports", [])  # call: passport-list; hazard: fallback-default

    def person(self, pid):
        return self._get(f"passports/{pid}").get("passport") or {}  # call: passport; hazard: fallback-default

    def credentials(self, pid):
        return self._get("passport_credentials", passport_id=pid).get("passport_credentials", [])  # call: passport-credentials; hazard: fallback-default
