"""Client of the training provider's Skills Passport service.

The provider issues a "skills passport" per employee, with credentials for finished courses.
"""
import requests
from django.conf import settings
from django.core.cache import cache


class ProviderError(Exception):
    pass


class SkillsPassportProvider:
    def __init__(self):
        self.base = settings.SKILLS_PASSPORT_URL.rstrip("/")
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {settings.SKILLS_PASSPORT_TOKEN}"

    def _get(self, path, **params):
        response = self.session.get(f"{self.base}/v2/{path}", params=params, timeout=15)
        if response.status_code == 404:
            return None
        if not response.ok:
            raise ProviderError(f"{path}: {response.status_code}")
        return response.json()["data"]

    def passport_for(self, employee_number):
        key = f"skills-passport:{employee_number}"
        passport = cache.get(key)
        if passport is None:
            passport = self._get(f"employees/{employee_number}/passport")
            cache.set(key, passport, 3600)
        return passport

    def credentials(self, passport_id):
        try:
            return self._get("credentials", passport=passport_id) or []
        except ProviderError:
            return []
