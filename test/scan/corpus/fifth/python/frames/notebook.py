import pandas as pd
import requests

ENDPOINTS = {
    "people": "https://rep.example.org/api/v1/passports",
    "credentials": "https://rep.example.org/api/v1/passport_credentials",
    "sales": "https://sales.example.com/api/v1/orders",
}

raw = requests.get(ENDPOINTS["people"]).json()  # call: passport-list
df = pd.json_normalize(raw["passports"])
df["last_calculated_at"] = pd.to_datetime(df["last_calculated_at"])  # read: passports[].last_calculated_at
by_place = df.groupby("passport_profile.location")["score"].mean()  # read: passports[].passport_profile.location, passports[].score
print(by_place.head())

frames = []
for pid in df["passport_id"]:  # read: passports[].passport_id
    creds = requests.get(ENDPOINTS["credentials"], params={"passport_id": pid}).json()  # call: passport-credentials
    frames.append(pd.DataFrame(creds["passport_credentials"]))
credentials = pd.concat(frames)
pivot = credentials.pivot_table(index="category", values="score", aggfunc="sum")  # read: passport_credentials[].category, passport_credentials[].score
print(pivot)

orders = pd.json_normalize(requests.get(ENDPOINTS["sales"]).json()["orders"])
print(orders["score"].sum(), orders["category"].nunique(), orders["passport_id"].max())
