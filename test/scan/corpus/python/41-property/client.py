import os
from functools import cached_property, wraps
import requests


class Config:
    def __init__(self, host=None):
        self.host = host or os.environ["REP_HOST"]

    @property
    def api(self):
        return f"https://{self.host}/api/v1"

    @staticmethod
    def version():
        return "v1"


class Rep:
    config = Config()

    @cached_property
    def session(self):
        s = requests.Session()
        s.headers["X-API-KEY"] = "k"
        return s

    @classmethod
    def default(cls):
        return cls()

    def one(self, ident):
        return self.session.get(self.config.api + "/passports/" + ident).json()  # call: passport

    @property
    def everybody(self):
        return self.session.get(self.config.api + "/passports").json()["passports"]  # call: passport-list


def names():
    rep = Rep.default()
    print(rep.one("1")["passport"]["main_wallet"])  # read: passport.main_wallet
    return [p["passport_profile"]["bio"] for p in rep.everybody]  # read: passports[].passport_profile.bio
