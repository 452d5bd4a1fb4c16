import requests

BASE_URL = "https://api.talentprotocol.com/api/v1"


class TalentUnavailable(Exception):
    pass


class TalentClient:
    def __init__(self, api_key, base_url=BASE_URL, timeout=10):
        self.base_url = base_url.rstrip("/")
        self.timeout = timeout
        self.session = requests.Session()
        self.session.headers.update({"X-API-KEY": api_key, "Accept": "application/json"})

    def get_passport(self, wallet):
        url = f"{self.base_url}/passports/{wallet}"
        try:
            resp = self.session.get(url, timeout=self.timeout)
        except requests.RequestException as exc:
            raise TalentUnavailable(str(exc)) from exc
        if resp.status_code == 404:
            return None
        if resp.status_code != 200:
            raise TalentUnavailable(f"status {resp.status_code}")
        return resp.json()["passport"]

    def get_score(self, wallet):
        try:
            passport = self.get_passport(wallet)
            return passport["score"] if passport else 0
        except TalentUnavailable:
            return 0

    def get_credentials(self, passport_id):
        resp = self.session.get(
            f"{self.base_url}/passport_credentials",
            params={"passport_id": passport_id},
            timeout=self.timeout,
        )
        return resp.json().get("passport_credentials", [])

    def search(self, keyword):
        resp = self.session.get(f"{self.base_url}/passports", params={"keyword": keyword})
        resp.raise_for_status()
        return resp.json()["passports"]
