"""Everything that leaves the building towards the reputation service goes through here."""
import logging
from urllib.parse import quote

import requests
from cachetools import TTLCache, cachedmethod

log = logging.getLogger(__name__)


class ReputationDown(Exception):
    pass


class ReputationGateway:
    def __init__(self, root, key, timeout=8):
        self.root = root.rstrip("/") + "/api/v1"
        self.timeout = timeout
        self.session = requests.Session()
        if key:
            self.session.headers["X-API-KEY"] = key
        self._people = TTLCache(maxsize=512, ttl=600)

    def _call(self, resource, **query):
        try:
            answer = self.session.get(f"{self.root}/{resource}", params=query or None, timeout=self.timeout)
        except requests.RequestException as exc:
            raise ReputationDown(str(exc)) from exc
        if not answer.ok:
            raise ReputationDown(f"{resource}: {answer.status_code}")
        return answer.json()

    def search(self, words):
        body = self._call("passports", keyword=words)
        return body["passports"], body["pagination"]["total"]

    @cachedmethod(lambda self: self._people)
    def person(self, ident):
        return self._call("passports/" + quote(str(ident)))["passport"]

    def badges(self, passport_id):
        """Badges are decoration: the page must render without them."""
        try:
            found = self._call("passport_credentials", passport_id=passport_id)
        except ReputationDown as exc:
            log.warning("no badges for %s: %s", passport_id, exc)
            return []
        return sorted(found["passport_credentials"], key=lambda b: b["score"], reverse=True)
