# %% [markdown]
# # Who votes, and who builds?
# Joins the voters of a Snapshot space with builder scores.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from sources import CONFIG, credentials_of, passport_frame, socials_of, votes

OUT = Path(CONFIG["report"]["folder"])
OUT.mkdir(exist_ok=True)

# %%
people = passport_frame()
people = people[people["score"].notna() & ~people["calculating_score"]]
people["calculated"] = pd.to_datetime(people["last_calculated_at"], utc=True)
people["region"] = people["passport_profile.location"].fillna("").str.split(",").str[-1].str.strip()
people.head()

# %%
stale = pd.Timestamp.now(tz="UTC") - people["calculated"] > pd.Timedelta(days=60)
print(f"{stale.mean():.1%} of the scores are older than 60 days")

# %% [markdown]
# One line per verified wallet, since people vote with more than one.

# %%
wallets = (
    people[["passport_id", "score", "skills_score", "human_checkmark", "verified_wallets", "region"]]
    .explode("verified_wallets")
    .rename(columns={"verified_wallets": "voter"})
    .dropna(subset=["voter"])
)
wallets["voter"] = wallets["voter"].str.lower()

# %%
cast = votes(CONFIG["snapshot"]["space"])
cast["voter"] = cast["voter"].str.lower()
activity = cast.groupby("voter").agg(ballots=("choice", "size"), power=("vp", "median")).reset_index()
joined = activity.merge(wallets, on="voter", how="left", indicator=True)
print(joined["_merge"].value_counts())

# %%
builders = joined[joined["_merge"] == "both"]
by_region = builders.groupby("region").agg(
    voters=("passport_id", "nunique"),
    median_score=("score", "median"),
    humans=("human_checkmark", "mean"),
)
by_region.sort_values("voters", ascending=False).to_csv(OUT / "regions.csv")

# %%
fig, ax = plt.subplots(figsize=(8, 5))
builders.plot.scatter(x="skills_score", y="ballots", alpha=0.3, ax=ax)
ax.set_xlabel("Skills")
ax.set_ylabel("Votes cast")
fig.savefig(OUT / "skills_votes.png", dpi=160)

# %% [markdown]
# What the busiest voters have in common.

# %%
busy = builders[builders["ballots"] >= CONFIG["report"]["min_votes"]].nlargest(50, "power")
badges = pd.concat([credentials_of(int(i)) for i in busy["passport_id"].unique()], ignore_index=True)
badges = badges[badges["earned_at"].notna()]
badges["share"] = badges["score"] / badges["max_score"].where(badges["max_score"] > 0)
common = badges.pivot_table(index="name", columns="category", values="owner", aggfunc="nunique")
print(common.fillna(0).astype(int).to_string())
print(badges.groupby("type").share.mean().nlargest(10))

# %%
reach = []
for pid in busy.passport_id.unique():
    for profile in socials_of(int(pid)):
        reach.append((pid, profile["source"], int(profile.get("follower_count") or 0)))
reach = pd.DataFrame(reach, columns=["builder", "network", "followers"])
print(reach.groupby("network")["followers"].describe())

# %%
regions = pd.read_csv(OUT / "regions.csv")
top = regions.nlargest(8, "median_score")
print(top.to_string(index=False))
