# %% [markdown]
# # Cohort analysis
# Who joined the residency, and how do their scores spread?

# %%
import os

import pandas as pd
import requests

BASE = os.environ["REP_BASE"]
HEADERS = {"X-API-KEY": os.environ.get("REP_KEY", "")}

# %%
frames = []
page = 1
while True:
    r = requests.get(f"{BASE}/api/v1/passports", params={"page": page}, headers=HEADERS, timeout=20)  # call: passport-list
    r.raise_for_status()
    body = r.json()
    frames.append(pd.json_normalize(body["passports"]))
    if page >= body["pagination"]["last_page"]:  # read: pagination.last_page
        break
    page += 1

df = pd.concat(frames, ignore_index=True)
df.shape

# %%
df["score"] = df["score"].fillna(0)  # read: passports[].score; hazard: fallback-default
df["fresh"] = pd.to_datetime(df["last_calculated_at"])  # read: passports[].last_calculated_at
df[["activity_score", "identity_score", "skills_score"]].describe()  # read: passports[].activity_score, passports[].identity_score, passports[].skills_score

# %%
by_place = (
    df.groupby("passport_profile.location")  # read: passports[].passport_profile.location
    .agg(people=("passport_id", "nunique"), mean=("score", "mean"))  # read: passports[].passport_id, passports[].score
    .sort_values("mean", ascending=False)
)
by_place.head(10)

# %% [markdown]
# ## Survey answers (own spreadsheet, same column names by accident)

# %%
survey = pd.read_csv("survey.csv")
survey["score"] = survey["score"].fillna(0)
survey.groupby("category")["score"].mean()

# %%
humans = df[df.human_checkmark]  # read: passports[].human_checkmark
print(len(humans), "of", len(df), "carry the checkmark")
humans.to_parquet("humans.parquet")
