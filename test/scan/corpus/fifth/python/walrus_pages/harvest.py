import json
import sys

import requests

BASE = "https://rep.example.org"


def fetch(page):
    r = requests.get("{}/api/v1/passports?page={}".format(BASE, page))  # call: passport-list
    if r.status_code == 401:  # hazard: status-default
        return []
    return r.json()["passports"]


def harvest(out):
    page = 0
    while batch := fetch(page := page + 1):
        for row in batch:
            wallet, connections = row["main_wallet"], row.get("connections_count")  # read: passports[].main_wallet, passports[].connections_count
            record = {"wallet": wallet, "connections": connections, "score": row["score"]}  # read: passports[].score
            if (profile := row.get("passport_profile")) and (name := profile.get("display_name")):  # read: passports[].passport_profile.display_name
                record["name"] = name
            out.write(json.dumps(record) + "\n")


def reread(lines):
    for line in lines:
        record = json.loads(line)
        if (score := record["score"]) > 10:
            print(record["wallet"], score)


if __name__ == "__main__":
    harvest(sys.stdout)
