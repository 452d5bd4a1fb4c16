import requests
from tenacity import retry, stop_after_attempt, wait_exponential

from urls import credentials_url, passport_url, status_url


@retry(stop=stop_after_attempt(3), wait=wait_exponential())
def get_passport(ident):
    response = requests.get(passport_url(ident), timeout=6)  # call: passport
    response.raise_for_status()
    return response.json()["passport"]


@retry(stop=stop_after_attempt(3))
def get_credentials(ident):
    response = requests.get(credentials_url(), params=dict(passport_id=ident), timeout=6)  # call: passport-credentials
    response.raise_for_status()
    return response.json()["passport_credentials"]


def humanity(ident):
    for cred in get_credentials(ident):
        if cred["type"] == "world_id":  # read: passport_credentials[].type
            return int(cred["value"].split(":")[1])  # read: passport_credentials[].value
    return None


def describe(ident):
    passport = get_passport(ident)
    if passport["calculating_score"]:  # read: passport.calculating_score
        return "pending"
    identity, skills = passport["identity_score"], passport["skills_score"]  # read: passport.identity_score, passport.skills_score
    return f"{identity}+{skills}"


def upstream_state():
    state = requests.get(status_url(), timeout=6).json()
    return state["type"], state["value"], state.get("score", 0)
