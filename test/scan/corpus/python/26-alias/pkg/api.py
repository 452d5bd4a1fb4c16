from requests import Session as S, get as http_get
import os as _os

_HOST = _os.environ["REP_HOST"]
_V = 1


def fetch_passport(ident):
    return http_get("https://%s/api/v%d/passports/%s" % (_HOST, _V, ident)).json()["passport"]  # call: passport


def list_passports():
    with S() as s:
        return s.get(f"https://{_HOST}/api/v1/passports").json()  # call: passport-list


class Credentials(list):
    @classmethod
    def of(cls, ident):
        raw = http_get(f"https://{_HOST}/api/v1/passport_credentials?passport_id={ident}").json()  # call: passport-credentials
        return cls(raw["passport_credentials"])
