"""Client of the ministry's document service. Passports here are booklets."""
import os

import requests

MINISTRY = os.environ.get("MINISTRY_URL", "https://ministry.example")


def get_booklet(number):
    try:
        resp = requests.get(f"{MINISTRY}/v1/passport/{number}", timeout=5)
        resp.raise_for_status()
    except requests.RequestException:
        return None
    return resp.json()["passport"]


def list_booklets(keyword):
    resp = requests.get(f"{MINISTRY}/api/v2/passports", params={"keyword": keyword})
    body = resp.json()
    return body["passports"], body["pagination"]["total"]


def holder_name(number):
    booklet = get_booklet(number) or {}
    return booklet.get("passport_profile", {}).get("display_name", "")


def risk(number):
    booklet = get_booklet(number) or {}
    return booklet.get("score", 0) + int(booklet.get("follower_count") or 0)
