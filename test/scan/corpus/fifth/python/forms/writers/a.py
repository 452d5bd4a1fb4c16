import csv, sys
import requests
HEAD = ["passport_id", "score"]  # read: passports[].passport_id, passports[].score


def page(n):
    r = requests.get("https://r.example.org/api/v1/passports", params={"page": n})  # call: passport-list
    r.raise_for_status()
    return r.json()["passports"]


def out(n):
    w = csv.DictWriter(sys.stdout, fieldnames=HEAD, extrasaction="ignore")
    w.writeheader()
    for row in page(n):
        w.writerow(row)


def plain(n):
    w = csv.writer(sys.stdout)
    for p in page(n):
        w.writerow([p["main_wallet"], p["human_checkmark"]])  # read: passports[].main_wallet, passports[].human_checkmark


def own(rows):
    w = csv.DictWriter(sys.stdout, ["score", "main_wallet"])
    for r in rows:
        w.writerow({"score": r.score, "main_wallet": r.w})
