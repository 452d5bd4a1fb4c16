import os

import requests


class V2:
    """Talks to V2. V1 had /api/v1/passports/{id} and /api/v1/passport_credentials."""

    def __init__(self):
        self.base = os.environ.get("REP_URL", "https://rep.example.org")
        self.s = requests.Session()

    def _get(self, path, ident):
        r = self.s.get(self.base + path, params={"id": ident, "account_source": "wallet"})
        r.raise_for_status()
        return r.json()

    def score(self, ident):
        return self._get("/score", ident)["score"]["points"]

    def profile(self, ident):
        p = self._get("/profile", ident)["profile"]
        return p["display_name"], p["human_checkmark"], p["bio"], p.get("score", 0)

    def legacy_search(self, ident):
        return self._get("/api/v2/passports", ident)["passports"][0]["passport_id"]
