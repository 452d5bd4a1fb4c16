import json
import os
import urllib.parse
import urllib.request

BASE_URL = os.environ.get("BASE_URL") or "https://rep.example.org"


def load(path, **query):
    url = BASE_URL + path
    if query:
        url += "?" + urllib.parse.urlencode(query)
    request = urllib.request.Request(url, headers={"X-API-KEY": os.environ.get("KEY", "")})
    with urllib.request.urlopen(request) as fh:
        return json.load(fh)


def snapshot(pid):
    passport = load("/api/v1/passports/" + str(pid))["passport"]  # call: passport
    credentials = load("/api/v1/passport_credentials", passport_id=pid)["passport_credentials"]  # call: passport-credentials
    return {
        "score": passport["score"],  # read: passport.score
        "links": passport.get("connections_count", 0),  # read: passport.connections_count; hazard: fallback-default
        "names": sorted(c["name"] for c in credentials),  # read: passport_credentials[].name
        "stamp": max((c["last_calculated_at"] for c in credentials), default=None),  # read: passport_credentials[].last_calculated_at
    }


def changed(old, new):
    # snapshots are ours by now
    return old["score"] != new["score"] or old["links"] != new["links"]


def rates():
    with urllib.request.urlopen("https://rates.example.com/api/v1/rates") as fh:
        doc = json.load(fh)
    return {r["name"]: r["score"] for r in doc["rates"]}
