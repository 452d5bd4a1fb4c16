import requests
import pandas as pd

rows = []
page, last = 1, 1
while page <= last:
    answer = requests.get("https://api.example.com/api/v1/passports?page=" + str(page)).json()  # call: passport-list
    last = answer["pagination"]["last_page"]  # read: pagination.last_page
    for p in answer["passports"]:
        rows.append({"id": p["passport_id"], "wallets": len(p["verified_wallets"]), "human": p["human_checkmark"]})  # read: passports[].passport_id, passports[].verified_wallets[], passports[].human_checkmark
    page += 1

frame = pd.DataFrame(rows)
frame.to_csv("out.csv")
