import logging
from urllib.parse import urlencode, urlunsplit

import requests
from django.conf import settings

logger = logging.getLogger(__name__)

PEOPLE = "/api/v1/passports"
PERSON = PEOPLE + "/%s"
MERITS = "/api/v1/passport_credentials"


def _url(path, **params):
    return urlunsplit(("https", settings.TALENT["HOST"], path, urlencode(params), ""))


def _fetch(url):
    resp = requests.get(url, headers={"X-API-KEY": settings.TALENT["KEY"]}, timeout=10)
    resp.raise_for_status()
    return resp.json()


def get_person(wallet):
    try:
        return _fetch(_url(PERSON % wallet))["passport"]
    except (requests.RequestException, KeyError):
        logger.exception("talent lookup of %s", wallet)
        return {}


def iter_people(keyword=None):
    page = 1
    while True:
        params = {"page": page}
        if keyword:
            params["keyword"] = keyword
        data = _fetch(_url(PEOPLE, **params))
        yield from data["passports"]
        paging = data["pagination"]
        if paging["current_page"] >= paging["last_page"]:
            return
        page += 1


def get_merits(passport_id):
    return _fetch(_url(MERITS, passport_id=passport_id))["passport_credentials"]
