import httpx
import requests
from urllib.parse import urljoin


class RepSession(requests.Session):
    def __init__(self, base="https://rep.example.org/api/v1/"):
        super().__init__()
        self.base = base

    def request(self, method, url, *args, **kwargs):
        return super().request(method, urljoin(self.base, url), *args, **kwargs)


class RepClient(httpx.Client):
    def __init__(self, key):
        super().__init__(base_url="https://rep.example.org/api/v1", headers={"X-API-KEY": key})

    def creds(self, pid):
        return self.get("/passport_credentials", params={"passport_id": pid}).json()["passport_credentials"]  # call: passport-credentials


def run():
    s = RepSession()
    print(s.get("passports/7").json()["passport"]["merged"])  # call: passport; read: passport.merged
    for c in RepClient("k").creds(7):
        print("{name}: {score}/{max_score}".format(**c))  # read: passport_credentials[].name, passport_credentials[].score, passport_credentials[].max_score
        print("%(category)s" % c)  # read: passport_credentials[].category
