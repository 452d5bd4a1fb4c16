import requests
from flask import current_app


def _get(path, **params):
    url = f"{current_app.config['TALENT_URL']}/{path}"
    r = requests.get(url, params=params, headers={"X-API-KEY": current_app.config["TALENT_KEY"]}, timeout=10)
    return r.json()


def search(name):
    return _get("passports", keyword=name).get("passports", [])


def passport(wallet):
    return _get(f"passports/{wallet}").get("passport")


def credentials(passport_id):
    try:
        return _get("passport_credentials", passport_id=passport_id)["passport_credentials"]
    except (KeyError, requests.RequestException):
        current_app.logger.exception("credentials")
        return []
