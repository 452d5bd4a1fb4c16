import os

import requests

TRAVEL = os.environ["TRAVEL_DOCS"]


class TravelDocs:
    def __init__(self):
        self.http = requests.Session()
        self.http.headers["X-API-KEY"] = os.environ["TRAVEL_KEY"]

    def passport(self, number):
        r = self.http.get(f"{TRAVEL}/v1/passport/{number}")
        if not r.ok:
            return None
        return r.json()["passport"]

    def enroll(self, image):
        r = self.http.post(f"{TRAVEL}/api/v1/passport/scans", files={"page": image})
        return r.json().get("score", 0)

    def visas(self, passport_id):
        r = self.http.get(f"{TRAVEL}/v1/passport_visas", params={"passport_id": passport_id})
        return r.json().get("visas", [])


def may_fly(number, country):
    docs = TravelDocs()
    passport = docs.passport(number)
    if passport is None or passport["merged"]:
        return False
    holder = passport["passport_profile"]["display_name"]
    for visa in docs.visas(passport["passport_id"]):
        if visa["category"] == "tourist" and visa["value"] == country:
            print(holder, "may travel, risk", int(passport.get("score") or 0))
            return True
    return False
