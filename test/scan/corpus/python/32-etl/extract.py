import csv
import json
import sys
from urllib.parse import urlencode, urlsplit, urlunsplit
from urllib.request import Request, urlopen

HOST = "rep.example.org"
FIELDS = ["passport_id", "score", "main_wallet"]


def url_for(path, query=None):
    return urlunsplit(("https", HOST, path, urlencode(query or {}), ""))


def rows(keyword):
    req = Request(url_for("/api/v1/passports", {"keyword": keyword}))  # call: passport-list
    req.add_header("X-API-KEY", "k")
    with urlopen(req) as resp:
        payload = json.loads(resp.read())
    return payload["passports"]


def dump(keyword, out=sys.stdout):
    w = csv.DictWriter(out, fieldnames=["id", "points", "place"])
    w.writeheader()
    for r in rows(keyword):
        w.writerow({"id": r["passport_id"], "points": r["score"], "place": (r.get("passport_profile") or {}).get("location")})  # read: passports[].passport_id, passports[].score, passports[].passport_profile.location; hazard: fallback-default


def read_back(path):
    with open(path) as fh:
        for row in csv.DictReader(fh):
            yield row["passport_id"], row["score"], row["main_wallet"]
