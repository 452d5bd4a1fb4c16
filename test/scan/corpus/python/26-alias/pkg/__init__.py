from .api import fetch_passport as passport, Credentials
from . import api as _api

__all__ = ["passport", "Credentials", "listing"]

listing = _api.list_passports
