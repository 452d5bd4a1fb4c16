import pandas as pd
import requests


def frame():
    body = requests.get("https://rep.example.org/api/v1/passports").json()  # call: passport-list
    df = pd.json_normalize(body["passports"])
    df["place"] = df["passport_profile.location"].fillna("?")  # read: passports[].passport_profile.location
    df = df[df.human_checkmark]  # read: passports[].human_checkmark
    df = df.sort_values("score", ascending=False)  # read: passports[].score
    print(df[["passport_id", "main_wallet"]].head())  # read: passports[].passport_id, passports[].main_wallet
    print(df.groupby("place")["skills_score"].mean())  # read: passports[].skills_score
    for _, row in df.iterrows():
        print(row["activity_score"], row["place"])  # read: passports[].activity_score
    for t in df.itertuples():
        print(t.identity_score)  # read: passports[].identity_score
    return df.loc[df["score"] > 5, "connections_count"].sum()  # read: passports[].score, passports[].connections_count


def other():
    df = pd.read_csv("x.csv")
    return df[["passport_id", "main_wallet"]], df["score"].sum()
