import requests


class PassportClient:
    def __init__(self, base_url, api_key=None):
        self.base_url = base_url.rstrip("/")
        self.session = requests.Session()
        self.api_key = api_key

    def _get(self, path, **params):
        response = self.session.get(f"{self.base_url}/api/v1{path}", params=params)
        response.raise_for_status()
        return response.json()

    def passport(self, passport_id):
        return self._get(f"/passports/{passport_id}")["passport"]  # call: passport

    def credentials(self, passport_id):
        return self._get("/passport_credentials", passport_id=passport_id)["passport_credentials"]  # call: passport-credentials

    def is_human(self, passport_id):
        return self.passport(passport_id)["human_checkmark"]  # read: passport.human_checkmark
