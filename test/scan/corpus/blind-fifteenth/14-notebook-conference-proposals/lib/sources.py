"""Where the data of the notebook comes from."""

import os
import time

import pandas as pd
import requests
import requests_cache

requests_cache.install_cache("cfp", expire_after=86400)

TALENT = os.getenv("TALENT_API", "https://api.talentprotocol.com/api/v1/")
PRETALX = "https://pretalx.com/api"
_HEAD = {"X-API-KEY": os.getenv("TALENT_API_KEY", "")}


def submissions(event):
    """All proposals of a pretalx event with their review score."""
    url, rows = f"{PRETALX}/events/{event}/submissions/?limit=50", []
    while url:
        page = requests.get(url, headers={"Authorization": "Token " + os.environ["PRETALX_TOKEN"]}).json()
        rows += page["results"]
        url = page["next"]
    df = pd.DataFrame(rows)
    df["wallet"] = df["answers"].map(lambda a: next((x["answer"] for x in a if x["question"] == 118), None))
    return df[["code", "title", "state", "score", "wallet"]]


def passports(wallets):
    found = []
    for w in wallets:
        res = requests.get(TALENT + "passports/" + w, headers=_HEAD)
        body = res.json()
        if "passport" not in body:
            print("no passport:", w)
            continue
        found.append({"wallet": w, **body["passport"]})
        time.sleep(0.4)
    return found


def credentials(ids):
    frames = []
    for i in ids:
        js = requests.get(TALENT + "passport_credentials", params={"passport_id": i}, headers=_HEAD).json()
        frames.append(pd.DataFrame(js.get("passport_credentials", [])).assign(owner=i))
        time.sleep(0.4)
    return pd.concat(frames, ignore_index=True)
