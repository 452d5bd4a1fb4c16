# Exported from the notebook "cohorts". Run the cells in order.
import matplotlib.pyplot as plt
import pandas as pd
import requests

BASE = "https://api.passports.example/api/v1"
KEY = {"X-API-KEY": "set-me"}

# %% passports
frames = []
page, last = 1, 1
while page <= last:
    r = requests.get(BASE + "/passports", headers=KEY, params={"page": page})  # call: passport-list
    body = r.json()
    last = body["pagination"]["last_page"]  # read: pagination.last_page
    frames.append(pd.json_normalize(body["passports"]))
    page += 1
df = pd.concat(frames, ignore_index=True)
df["last_calculated_at"] = pd.to_datetime(df["last_calculated_at"])  # read: passports[].last_calculated_at
df["score"] = df["score"].fillna(0)  # read: passports[].score; hazard: fallback-default
humans = df[df["human_checkmark"]]  # read: passports[].human_checkmark
print(humans[["passport_id", "passport_profile.display_name", "score"]].head(20))  # read: passports[].passport_id, passports[].passport_profile.display_name, passports[].score
print(humans.groupby("passport_profile.location")["activity_score"].mean())  # read: passports[].passport_profile.location, passports[].activity_score

# %% the credentials of the best
best = int(humans.sort_values("score", ascending=False).iloc[0]["passport_id"])  # read: passports[].score, passports[].passport_id; hazard: integer-id
r = requests.get(BASE + "/passport_credentials", headers=KEY, params={"passport_id": best})  # call: passport-credentials
creds = pd.DataFrame(r.json()["passport_credentials"])
by_category = creds.groupby("category")["score"].sum()  # read: passport_credentials[].category, passport_credentials[].score
by_category.plot.bar()
plt.savefig("categories.png")

# %% survey answers (our own file)
survey = pd.read_csv("survey.csv")
survey["score"] = survey["score"].fillna(0)
survey["value"] = survey["value"].astype(int)
print(survey.groupby("category")["score"].median())
print(survey[["name", "location", "score"]].describe())
