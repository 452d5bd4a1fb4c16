# %% [markdown]
# # What makes a builder score?

# %%
import matplotlib.pyplot as plt
import pandas as pd

from collect import fetch_credentials, fetch_passports

# %%
records = fetch_passports(max_pages=8)
df = pd.json_normalize(records)
df.shape

# %%
# drop people that were never calculated
df = df[df["last_calculated_at"].notna()].copy()
df["last_calculated_at"] = pd.to_datetime(df["last_calculated_at"])
df["age_days"] = (pd.Timestamp.now(tz="UTC") - df["last_calculated_at"]).dt.days

# %%
parts = ["activity_score", "identity_score", "skills_score"]
df[parts + ["score"]].describe()

# %%
corr = df[["score", "activity_score", "identity_score", "skills_score", "age_days"]].corr()
corr["score"].sort_values(ascending=False)

# %%
df.groupby("human_checkmark")["score"].median()

# %%
df["wallets"] = df["verified_wallets"].str.len()
df["named"] = df["passport_profile.display_name"].notna()
top_places = df["passport_profile.location"].fillna("unknown").value_counts().head(15)
top_places.plot.barh()
plt.tight_layout()

# %%
tags = df.explode("passport_profile.tags").groupby("passport_profile.tags")["score"].agg(["count", "mean"])
tags[tags["count"] > 20].sort_values("mean", ascending=False).head(20)

# %% [markdown]
# ## Credentials of the top 50

# %%
best = df.nlargest(50, "score")
creds = pd.DataFrame(fetch_credentials(best["passport_id"]))
creds["share"] = creds["points"] / creds["max"].where(creds["max"] > 0)
creds.groupby("type")["share"].mean().sort_values()

# %%
best[["passport_id", "passport_profile.display_name", "score", "wallets"]].to_csv("data/top50.csv", index=False)
