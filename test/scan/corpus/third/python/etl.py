from concurrent.futures import ThreadPoolExecutor
import json
import requests

SESSION = requests.Session()
ENDPOINTS = {
    "list": "/api/v1/passports",
    "credentials": "/api/v1/passport_credentials",
}


def fetch(name, **params):
    response = SESSION.get("https://api.example.com" + ENDPOINTS[name], params=params)  # call: passport-list, passport-credentials
    return json.loads(response.text)


def page(number):
    try:
        return fetch("list", page=number)["passports"]
    except (KeyError, ValueError):  # hazard: catch-default
        return []


def run():
    with ThreadPoolExecutor() as pool:
        for people in pool.map(page, range(1, 10)):
            for person in people:
                yield person["passport_id"], person["identity_score"]  # read: passports[].passport_id, passports[].identity_score
