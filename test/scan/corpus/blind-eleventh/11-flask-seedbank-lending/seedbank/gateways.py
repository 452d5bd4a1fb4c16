import logging

import requests

log = logging.getLogger(__name__)


class Gateway:
    root = ""

    def __init__(self):
        self.http = requests.Session()

    def _get(self, *segments, **params):
        url = "/".join([self.root, *(str(s) for s in segments)])
        resp = self.http.get(url, params=params or None, timeout=6)
        resp.raise_for_status()
        return resp.json()


class TalentGateway(Gateway):
    def init_app(self, app):
        self.root = app.config["TALENT_API_ROOT"].rstrip("/") + "/api/v1"
        if app.config["TALENT_API_KEY"]:
            self.http.headers["X-API-KEY"] = app.config["TALENT_API_KEY"]

    def passport(self, wallet: str) -> dict | None:
        try:
            return self._get("passports", wallet)["passport"]
        except (requests.RequestException, KeyError):
            log.warning("no passport for %s", wallet, exc_info=True)
            return None

    def badges(self, passport_id: int) -> list[dict]:
        data = self._get("passport_credentials", passport_id=passport_id)
        return data.get("passport_credentials", [])

    def search(self, name: str) -> list[dict]:
        return self._get("passports", keyword=name)["passports"]


class GbifGateway(Gateway):
    def init_app(self, app):
        self.root = app.config["GBIF_ROOT"]

    def species(self, name: str) -> dict:
        match = self._get("species", "match", name=name)
        return {"key": match.get("usageKey"), "score": match.get("confidence", 0)}
