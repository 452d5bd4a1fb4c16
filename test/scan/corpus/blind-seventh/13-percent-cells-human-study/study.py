# %% [markdown]
# # Are humans better builders?
# Compares passports with and without the human checkmark.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

from fetching import fetch_all, fetch_credentials, fetch_one

pd.set_option("display.max_columns", 40)

# %%
raw = fetch_all(limit_pages=40)
df = pd.json_normalize(raw)
df.shape

# %% the columns that we need, with the dots gone
df = df[
    [
        "passport_id",
        "score",
        "activity_score",
        "identity_score",
        "skills_score",
        "human_checkmark",
        "calculating_score",
        "last_calculated_at",
        "verified_wallets",
        "passport_profile.location",
        "passport_profile.tags",
    ]
]
df = df[~df["calculating_score"]]
df["last_calculated_at"] = pd.to_datetime(df["last_calculated_at"], utc=True)
df["n_wallets"] = df["verified_wallets"].str.len()
df["score"] = df["score"].fillna(0)

# %% how fresh is it?
age = (pd.Timestamp.now(tz="UTC") - df.last_calculated_at).dt.days
print(age.describe())
fresh = df[age < 90].copy()

# %% humans against the rest
groups = fresh.groupby("human_checkmark")["score"].agg(["count", "mean", "median", "std"])
print(groups)

humans = fresh.loc[fresh.human_checkmark, "score"]
others = fresh.loc[~fresh.human_checkmark, "score"]
t, p_value = stats.mannwhitneyu(humans, others)
print(f"U={t:.0f} p={p_value:.4f}")

# %%
fig, ax = plt.subplots(figsize=(8, 4))
bins = np.arange(0, 200, 5)
ax.hist([humans, others], bins=bins, label=["human", "unknown"], stacked=True)
ax.set_xlabel("builder score")
ax.legend()
fig.savefig("figures/hist.png", dpi=150)

# %% which of the parts carries the difference?
parts = ["activity_score", "identity_score", "skills_score"]
print(fresh.groupby("human_checkmark")[parts].mean().T)

# %% places and tags
where = (
    fresh["passport_profile.location"]
    .str.strip()
    .replace("", np.nan)
    .dropna()
    .value_counts()
    .head(15)
)
where.plot.barh()
plt.savefig("figures/where.png", dpi=150)

tags = fresh.explode("passport_profile.tags").rename(columns={"passport_profile.tags": "tag"})
by_tag = tags.groupby("tag").agg(people=("passport_id", "nunique"), median=("score", "median"))
print(by_tag.query("people > 10").sort_values("median", ascending=False).head(20))

# %% credentials of a sample
sample = fresh.nlargest(200, "score")
frames = []
for pid in sample["passport_id"]:
    c = pd.DataFrame(fetch_credentials(pid))
    if c.empty:
        continue
    c["pid"] = pid
    frames.append(c)
creds = pd.concat(frames, ignore_index=True)
creds["share"] = creds["score"] / creds["max_score"].replace(0, np.nan)
print(creds.pivot_table(index="category", columns="type", values="share", aggfunc="mean"))
print(creds[creds.earned_at.notna()].groupby("name").size().sort_values(ascending=False).head(25))

# %% audience of the sample
reach = []
for pid in sample.passport_id.head(50):
    one = fetch_one(pid)
    if one is None:
        continue
    for social in one["passport_socials"]:
        reach.append(
            {
                "pid": pid,
                "network": social["source"],
                "followers": pd.to_numeric(social["follower_count"], errors="coerce"),
                "following": pd.to_numeric(social["following_count"], errors="coerce"),
            }
        )
reach = pd.DataFrame(reach)
print(reach.groupby("network")[["followers", "following"]].median())

# %% out
summary = groups.reset_index().rename(columns={"human_checkmark": "human", "mean": "mean_score"})
summary.to_csv("summary.csv", index=False)
