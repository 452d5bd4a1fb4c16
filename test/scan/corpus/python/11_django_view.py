import logging

import requests
from django.conf import settings
from django.http import JsonResponse

log = logging.getLogger(__name__)


def reputation(request, wallet):
    url = settings.REPUTATION_URL + "/api/v1/passports/" + wallet
    score = 0
    try:
        answer = requests.get(url, timeout=3).json()  # call: passport
        score = answer["passport"]["score"]  # read: passport.score
    except requests.RequestException as error:  # hazard: catch-default
        log.warning("no reputation: %s", error)
    return JsonResponse({"score": score})


def big(wallet):
    holder = requests.request("GET", f"{settings.REPUTATION_URL}/api/v1/passports/{wallet}").json()["passport"]  # call: passport
    social = holder["passport_socials"][0]  # read: passport.passport_socials
    return social["follower_count"] > 1000 and int(social["following_count"]) < 10  # read: passport.passport_socials[].follower_count, passport.passport_socials[].following_count; hazard: string-number
