import pandas as pd
import requests
import seaborn as sns
import plotly.express as px

rows = requests.get("https://r.example.org/api/v1/passports").json()["passports"]  # call: passport-list
df = pd.DataFrame(rows)
good = df.query("score > 10 and human_checkmark")  # read: passports[].score, passports[].human_checkmark
df["skills_score"] = pd.to_numeric(df["skills_score"])  # read: passports[].skills_score
print(df.loc[df["score"] > 3, "main_wallet"])  # read: passports[].score, passports[].main_wallet
print(df.groupby("human_checkmark")["score"].mean())  # read: passports[].human_checkmark, passports[].score
sns.histplot(data=df, x="activity_score")  # read: passports[].activity_score
px.scatter(df, x="identity_score", y="skills_score")  # read: passports[].identity_score, passports[].skills_score
bios = df["passport_profile"].apply(lambda p: p["bio"])  # read: passports[].passport_profile.bio
df["tags"] = df["passport_profile"].str["tags"]  # read: passports[].passport_profile.tags[]
for _, r in df.iterrows():
    print(r["passport_id"], r.connections_count)  # read: passports[].passport_id, passports[].connections_count
renamed = df.rename(columns={"last_calculated_at": "when"})  # read: passports[].last_calculated_at
print(df.pivot_table(index="human_checkmark", values="score", aggfunc="mean"))  # read: passports[].human_checkmark, passports[].score
top = df.sort_values("score", ascending=False).head(3)[["main_wallet", "score"]]  # read: passports[].score, passports[].main_wallet
flat = df.explode("verified_wallets")  # read: passports[].verified_wallets[]
zero = df["activity_score"].fillna(0)  # read: passports[].activity_score; hazard: fallback-default
