from urllib.parse import urljoin

import httpx

from settings import CREDENTIALS_PATH, HOST, PASSPORTS_PATH
import settings


def names(keyword):
    response = httpx.get(urljoin(HOST, PASSPORTS_PATH), params={"keyword": keyword})  # call: passport-list
    for entry in response.json()["passports"]:
        yield entry["passport_profile"]["display_name"], entry["score"]  # read: passports[].passport_profile.display_name, passports[].score


def values(passport_id):
    url = "{}{}?passport_id={}".format(settings.HOST, settings.CREDENTIALS_PATH, passport_id)
    with httpx.Client() as client:
        body = client.get(url).json()  # call: passport-credentials
    return {item["id"]: item["value"] for item in body["passport_credentials"]}  # read: passport_credentials[].id, passport_credentials[].value
