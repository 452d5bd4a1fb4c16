import os
import requests


class Http:
    def __init__(self, base: str, key: str | None = None):
        self.base = base.rstrip("/")
        self.session = requests.Session()
        if key:
            self.session.headers["X-API-KEY"] = key

    def get_json(self, path: str, **params):
        resp = self.session.request("GET", f"{self.base}{path}", params=params or None)
        resp.raise_for_status()
        return resp.json()


class PassportRepo:
    def __init__(self, http: Http):
        self._http = http

    def by_id(self, ident):
        return self._http.get_json(f"/passports/{ident}")["passport"]  # call: passport

    def find(self, word):
        yield from self._http.get_json("/passports", keyword=word)["passports"]  # call: passport-list


class CompanyRepo:
    def __init__(self, http: Http):
        self._http = http

    def by_id(self, ident):
        return self._http.get_json(f"/companies/{ident}")["company"]


class Container:
    def __init__(self):
        self.rep_http = Http(os.getenv("REP_URL", "https://rep.example.org/api/v1"), os.getenv("REP_KEY"))
        self.crm_http = Http("https://crm.example.com/api/v3")
        self.passports = PassportRepo(self.rep_http)
        self.companies = CompanyRepo(self.crm_http)
        self.crm_passports = CompanyRepo(http=self.crm_http)


container = Container()
