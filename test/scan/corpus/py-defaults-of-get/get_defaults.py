import requests

BASE_URL = "https://api.example.com/api/v1"


def card(passport_id: int) -> dict:
    data = requests.get("%s/passports/%d" % (BASE_URL, passport_id)).json()  # call: passport; hazard: integer-id
    holder = data.get("passport", {})  # hazard: fallback-default
    profile = holder.get("passport_profile") or {}  # read: passport.passport_profile; hazard: fallback-default
    return {
        "score": holder.get("score", 0),  # read: passport.score; hazard: fallback-default
        "name": profile.get("display_name"),  # read: passport.passport_profile.display_name
        "tags": profile.get("tags", []),  # read: passport.passport_profile.tags[]; hazard: fallback-default
        "human": holder["human_checkmark"],  # read: passport.human_checkmark
    }
