import requests
from flask_caching import Cache


class TalentUnavailable(RuntimeError):
    def __init__(self, status):
        super().__init__(f"talent answered {status}")
        self.status = status


class Talent:
    """Flask extension around the passport API."""

    def init_app(self, app):
        self.root = app.config["TALENT_API_URL"].rstrip("/")
        self.session = requests.Session()
        if app.config["TALENT_API_KEY"]:
            self.session.headers["X-API-KEY"] = app.config["TALENT_API_KEY"]
        app.extensions["talent"] = self

    def _call(self, resource, **query):
        res = self.session.get(f"{self.root}/{resource}", params=query, timeout=8)
        if not res.ok:
            raise TalentUnavailable(res.status_code)
        return res.json()

    def passport(self, wallet_or_id):
        return self._call(f"passports/{wallet_or_id}")["passport"]

    def search(self, name, page=1):
        return self._call("passports", keyword=name, page=page)

    def credentials(self, passport_id):
        try:
            return self._call("passport_credentials", passport_id=passport_id)["passport_credentials"]
        except (TalentUnavailable, requests.RequestException, KeyError):
            return []


cache = Cache()
talent = Talent()
