# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Collect passports and their credentials
# Needs `PASSPORT_KEY` in the environment. Takes about ten minutes because of the rate limit.

# %%
import json
import os
import time
from pathlib import Path

import pandas as pd
import requests
from tqdm.auto import tqdm

from helpers import label, score_inequality

API = "https://api.talentprotocol.com/api/v1"
DATA = Path("../data")
session = requests.Session()
session.headers["X-API-KEY"] = os.environ["PASSPORT_KEY"]

# %%
passports = []
page = 1
while True:
    r = session.get(f"{API}/passports", params={"page": page})
    r.raise_for_status()
    body = r.json()
    passports += body["passports"]
    if page >= min(body["pagination"]["last_page"], 40):
        break
    page += 1
    time.sleep(0.5)

print(len(passports), "of", body["pagination"]["total"])

# %%
df = pd.json_normalize(passports)
df = df.drop_duplicates("passport_id").set_index("passport_id")
df["last_calculated_at"] = pd.to_datetime(df["last_calculated_at"])
df[["score", "activity_score", "identity_score", "skills_score"]].describe()

# %%
df["country"] = df["passport_profile.location"].str.split(",").str[-1].str.strip()
df.groupby("country")["score"].agg(["count", "median"]).sort_values("count", ascending=False).head(15)

# %%
score_inequality(passports)

# %%
[label(p) for p in passports[:20]]

# %% [markdown]
# The human share by decile of the score:

# %%
df["decile"] = pd.qcut(df["score"], 10, labels=False, duplicates="drop")
df.groupby("decile")["human_checkmark"].mean().plot.bar()


# %%
def credentials_of(passport_id):
    try:
        r = session.get(f"{API}/passport_credentials", params={"passport_id": passport_id}, timeout=10)
        return r.json()["passport_credentials"]
    except Exception as e:
        print(passport_id, e)
        return []


rows = []
for passport_id in tqdm(df.query("human_checkmark").index[:500]):
    for c in credentials_of(passport_id):
        rows.append(
            {
                "passport": passport_id,
                "type": c["type"],
                "category": c["category"],
                "points": c["score"],
                "share": c["score"] / c["max_score"] if c["max_score"] else None,
                "earned": c["earned_at"],
            }
        )
    time.sleep(0.4)

creds = pd.DataFrame(rows)

# %%
DATA.mkdir(exist_ok=True)
creds.to_parquet(DATA / "credentials.parquet")
(DATA / "passports.json").write_text(json.dumps(passports))
