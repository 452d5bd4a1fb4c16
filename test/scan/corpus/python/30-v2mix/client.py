import requests


class Client:
    def __init__(self, version):
        self.base = f"https://rep.example.org/api/{version}"

    def passport(self, ident):
        return requests.get(f"{self.base}/passports/{ident}").json()["passport"]  # call: passport


old = Client("v1")
new = Client("v2")


def compare(ident):
    a = old.passport(ident)
    b = new.passport(ident)
    print(a["score"])  # read: passport.score
    print(b["points"], b["main_wallet"])
