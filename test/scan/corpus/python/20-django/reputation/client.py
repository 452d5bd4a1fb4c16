from django.conf import settings
import requests


def _headers():
    return {"X-API-KEY": settings.REPUTATION_KEY}


def fetch_json(path, params=None, timeout=5):
    url = "{}/{}".format(settings.REPUTATION_URL.rstrip("/"), path.lstrip("/"))
    try:
        response = requests.get(url, params=params, headers=_headers(), timeout=timeout)
        response.raise_for_status()
    except requests.HTTPError as exc:
        raise RuntimeError("reputation") from exc
    return response.json()


def get_passport(wallet):
    return fetch_json("/api/v1/passports/%s" % wallet).get("passport")  # call: passport


def iter_passports(keyword):
    page = 1
    while True:
        body = fetch_json("api/v1/passports", params={"keyword": keyword, "page": page})  # call: passport-list
        for item in body["passports"]:
            yield item
        if page >= body["pagination"]["last_page"]:  # read: pagination.last_page
            return
        page += 1
