import requests

from .urls import url_for


def get_json(name, **kwargs):
    response = requests.get(url_for(name, **kwargs))
    return response.json()


def get_passport(passport_id):
    return get_json(f"passports/{passport_id}")["passport"]  # call: passport
