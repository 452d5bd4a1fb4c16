"""Turn data/top50.csv into a markdown table for the newsletter."""
import csv

with open("data/top50.csv", newline="") as fh:
    rows = list(csv.DictReader(fh))

print("| # | builder | score |")
print("|---|---|---|")
for n, row in enumerate(rows, 1):
    name = row["passport_profile.display_name"] or f"passport {row['passport_id']}"
    print(f"| {n} | {name} | {row['score']} |")
