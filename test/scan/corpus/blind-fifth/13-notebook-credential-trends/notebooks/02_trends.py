# %% [markdown]
# # Credential trends
# Works on the files of `01_collect`.

# %%
import json
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

DATA = Path("../data")
creds = pd.read_parquet(DATA / "credentials.parquet")
passports = json.loads((DATA / "passports.json").read_text())

# %%
creds["earned"] = pd.to_datetime(creds["earned"], errors="coerce", utc=True)
monthly = creds.dropna(subset=["earned"]).groupby([pd.Grouper(key="earned", freq="MS"), "category"]).size()
monthly.unstack("category").plot(figsize=(10, 4))
plt.title("Credentials earned per month")

# %%
share = creds.groupby("type")["share"].mean().sort_values()
share.tail(20).plot.barh()

# %% [markdown]
# Which tags go with a high score?

# %%
tags = []
for p in passports:
    for tag in p["passport_profile"]["tags"]:
        points = p["score"]
        tags.append((tag.lower(), points, len(p["verified_wallets"])))

tagged = pd.DataFrame(tags, columns=["tag", "points", "wallets"])
top = tagged.groupby("tag").agg(n=("points", "size"), points=("points", "median"), wallets=("wallets", "mean"))
top[top["n"] >= 5].sort_values("points", ascending=False).head(25)
