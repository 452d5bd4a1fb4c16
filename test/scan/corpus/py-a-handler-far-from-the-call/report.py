from concurrent.futures import ThreadPoolExecutor

import requests


def score(id):
    return requests.get("https://api.example.com/api/v1/passports/" + id).json()["passport"]["score"]  # call: passport; read: passport.score


def users():
    return requests.get("https://users.example.com/users").json()


def rows():
    with ThreadPoolExecutor() as pool:
        return list(pool.map(score, users()))


def report():
    try:
        return sum(rows())
    except Exception:  # hazard: catch-default
        return 0


def names():
    try:
        return users()
    except Exception:
        return []
