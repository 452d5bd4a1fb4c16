import requests
from django.conf import settings
from django.core.cache import cache


class TalentUnavailable(Exception):
    pass


def get_passport(wallet):
    """Passport of a wallet, None if there is none."""
    key = f"talent:{wallet.lower()}"
    passport = cache.get(key)
    if passport is not None:
        return passport

    url = settings.TALENT_API_ROOT + "/passports/" + wallet
    try:
        response = requests.get(url, headers={"X-API-KEY": settings.TALENT_API_KEY}, timeout=5)
    except requests.RequestException as exc:
        raise TalentUnavailable(str(exc)) from exc

    if response.status_code == 404:
        return None
    if not response.ok:
        raise TalentUnavailable(f"HTTP {response.status_code}")

    passport = response.json()["passport"]
    cache.set(key, passport, settings.TALENT_CACHE_SECONDS)
    return passport
