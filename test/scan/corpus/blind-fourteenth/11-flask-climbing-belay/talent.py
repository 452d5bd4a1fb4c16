import logging

import requests

from config import Config

log = logging.getLogger(__name__)


def _get(path, params=None):
    r = requests.get(
        Config.TALENT_API + path,
        params=params,
        headers={"X-API-KEY": Config.TALENT_KEY},
        timeout=8,
    )
    r.raise_for_status()
    return r.json()


def search(name):
    return _get("/passports", {"keyword": name})


def get_passport(wallet):
    try:
        return _get(f"/passports/{wallet}")["passport"]
    except requests.RequestException as e:
        log.warning("passport %s failed: %s", wallet, e)
        return None


def get_credentials(passport_id):
    try:
        data = _get("/passport_credentials", {"passport_id": passport_id})
    except requests.RequestException:
        return []
    return data.get("passport_credentials", [])
