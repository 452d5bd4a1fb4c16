"""Client of the document verification vendor (travel passports, ID cards)."""
import os

import requests

BASE = os.environ["DOCVERIFY_URL"]  # e.g. https://sandbox.docverify.example


class DocVerify:
    def __init__(self):
        self.s = requests.Session()
        self.s.headers["X-API-KEY"] = os.environ["DOCVERIFY_KEY"]

    def passports(self, applicant_id):
        r = self.s.get(f"{BASE}/api/v3/applicants/{applicant_id}/passports")
        r.raise_for_status()
        return r.json()["passports"]

    def passport(self, passport_id):
        r = self.s.get(f"{BASE}/api/v3/passports/{passport_id}")
        if r.status_code == 404:
            return None
        r.raise_for_status()
        return r.json()["passport"]

    def liveness_score(self, passport_id):
        try:
            return self.s.get(f"{BASE}/api/v3/passports/{passport_id}/liveness").json().get("score", 0)
        except requests.RequestException:
            return 0
