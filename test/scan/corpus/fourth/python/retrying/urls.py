import os

_BASE = os.environ.get("REP_BASE", "https://rep.example.org").rstrip("/")
_VERSION = "v1"


def _join(*parts):
    return "/".join([_BASE, "api", _VERSION, *parts])


def passport_url(ident):
    return _join("passports", str(ident))


def credentials_url():
    return _join("passport_credentials")


def status_url():
    return "https://status.example.com/api/v1/status"
