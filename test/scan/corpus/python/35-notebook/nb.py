import requests as rq
import polars as pl
import numpy as np

URL = "https://rep.example.org/api/v1/passport_credentials"


def creds(pid):
    return rq.get(URL, params={"passport_id": pid}).json()["passport_credentials"]  # call: passport-credentials


df = pl.DataFrame(creds(1))
top = df.filter(pl.col("score") > 2).select(["name", "category"])  # read: passport_credentials[].score, passport_credentials[].name, passport_credentials[].category
print(df.group_by("category").agg(pl.col("max_score").sum()))  # read: passport_credentials[].category, passport_credentials[].max_score
scores = np.array([c["score"] for c in creds(2)])  # read: passport_credentials[].score
print(scores.mean())
by_type = {}
for c in creds(3):
    by_type.setdefault(c["type"], []).append(c)  # read: passport_credentials[].type
for kind, items in by_type.items():
    print(kind, max(i["earned_at"] for i in items))  # read: passport_credentials[].earned_at
