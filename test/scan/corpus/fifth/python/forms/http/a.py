import json, http.client, urllib.request, urllib.parse, contextlib, os
from pathlib import PurePosixPath
import httpx, aiohttp, urllib3
from yarl import URL

BASE = os.getenv("BASE")
pool = urllib3.PoolManager()


def a(i):
    r = pool.request("GET", f"{BASE}/api/v1/passports/{i}")  # call: passport
    return json.loads(r.data.decode("utf-8"))["passport"]["score"]  # read: passport.score


def b(i):
    conn = http.client.HTTPSConnection("r.example.org")
    conn.request("GET", "/api/v1/passports/" + str(i))  # call: passport
    res = conn.getresponse()
    body = json.loads(res.read())
    return body["passport"]["merged"]  # read: passport.merged


async def c(i):
    async with aiohttp.ClientSession() as s, s.get(URL(BASE) / "api" / "v1" / "passports" / i) as r:  # call: passport
        p = (await r.json())["passport"]
        return p["main_wallet"]  # read: passport.main_wallet


def d(i):
    with httpx.stream("GET", f"{BASE}/api/v1/passport_credentials", params={"passport_id": i}) as r:  # call: passport-credentials
        r.read()
        return [x["type"] for x in r.json()["passport_credentials"]]  # read: passport_credentials[].type


def e(i):
    with contextlib.closing(urllib.request.urlopen(f"{BASE}/api/v1/passports/{i}")) as fh:  # call: passport
        return json.load(fh)["passport"]["skills_score"]  # read: passport.skills_score


def f(i):
    req = httpx.Request("GET", f"{BASE}/api/v1/passports/{i}")  # call: passport
    with httpx.Client() as client:
        return client.send(req).json()["passport"]["identity_score"]  # read: passport.identity_score


def g(i):
    path = PurePosixPath("/api/v1/passports") / i
    return httpx.get(BASE + str(path)).json()["passport"]["passport_id"]  # call: passport; read: passport.passport_id


def h(name):
    q = urllib.parse.urlencode({"keyword": name})
    parts = urllib.parse.urlunsplit(("https", "r.example.org", "/api/v1/passports", q, ""))
    with urllib.request.urlopen(parts) as fh:  # call: passport-list
        for p in json.loads(fh.read().decode())["passports"]:
            yield p["score"]  # read: passports[].score
