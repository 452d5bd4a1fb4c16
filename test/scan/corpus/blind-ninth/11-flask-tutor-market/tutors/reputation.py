import logging

import requests
from flask import Flask
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

log = logging.getLogger(__name__)


class Reputation:
    """Flask extension around the reputation API."""

    def __init__(self, app: Flask | None = None):
        self.root = ""
        self.session = requests.Session()
        if app is not None:
            self.init_app(app)

    def init_app(self, app: Flask) -> None:
        self.root = f"{app.config['REPUTATION_URL']}/api/v1"
        self.session.headers["X-API-KEY"] = app.config["REPUTATION_KEY"]
        self.session.mount("https://", HTTPAdapter(max_retries=Retry(total=2, backoff_factor=0.3)))
        app.extensions["reputation"] = self

    def _get(self, resource: str, **query):
        resp = self.session.get(f"{self.root}/{resource}", params=query or None, timeout=6)
        resp.raise_for_status()
        return resp.json()

    def search(self, keyword: str) -> dict:
        return self._get("passports", keyword=keyword)

    def person(self, wallet: str) -> dict | None:
        try:
            return self._get(f"passports/{wallet}")["passport"]
        except requests.RequestException as exc:
            log.warning("reputation lookup for %s failed: %s", wallet, exc)
            return None

    def credentials(self, passport_id: int) -> list[dict]:
        body = self._get("passport_credentials", passport_id=passport_id)
        return body.get("passport_credentials", [])
