#!/usr/bin/env python3
import argparse
import csv
import statistics
import sys

from round import remote, weights

OUT_COLUMNS = ["donor", "passport", "name", "score", "weight", "updated"]
SURVEY_COLUMNS = ["passport_id", "score", "skills_score", "human_checkmark", "main_wallet"]


def read_donations(path):
    with open(path, newline="", encoding="utf-8") as fh:
        return [row for row in csv.DictReader(fh) if float(row["amount"] or 0) > 0]


def describe(passport):
    if not passport:
        return {"passport": "", "name": "", "score": "", "updated": ""}
    profile = passport["passport_profile"]
    return {
        "passport": passport["passport_id"],
        "name": profile["display_name"] or profile.get("bio", "")[:20],
        "score": passport["score"],
        "updated": (passport["last_calculated_at"] or "")[:10],
    }


def weigh(donations, out):
    owners, result, rows = {}, {}, []
    for donor in sorted({row["donor"] for row in donations}):
        if donor in owners:
            continue
        passport = remote.passport_of(donor)
        creds = []
        if passport:
            creds = remote.credentials_of(passport["passport_id"])
            for wallet in passport["verified_wallets"]:
                owners[wallet.lower()] = donor
        result[donor] = weights.identity_weight(passport, creds)
        rows.append({"donor": donor, "weight": result[donor], **describe(passport)})

    with open(out, "w", newline="", encoding="utf-8") as fh:
        writer = csv.DictWriter(fh, OUT_COLUMNS)
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda r: r["weight"], reverse=True))

    for project, match in weights.quadratic(weights.merge_wallets(donations, owners), result).items():
        print(f"{project:30} {match:12.2f}")


def survey(path, keyword):
    people = list(remote.everyone(keyword))
    with open(path, "w", newline="", encoding="utf-8") as fh:
        writer = csv.writer(fh)
        writer.writerow(SURVEY_COLUMNS + ["city"])
        for p in people:
            writer.writerow([p[c] for c in SURVEY_COLUMNS] + [p["passport_profile"].get("location")])
    scores = [p["score"] for p in people if not p["calculating_score"]]
    if scores:
        print(f"{len(scores)} settled scores, median {statistics.median(scores)}, top {max(scores)}")


def top_of_survey(path, count=10):
    with open(path, newline="", encoding="utf-8") as fh:
        rows = list(csv.DictReader(fh))
    for row in sorted(rows, key=lambda r: float(r["score"] or 0), reverse=True)[:count]:
        print(row["passport_id"], row["score"], row["city"])


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("donations")
    ap.add_argument("--out", default="weights.csv")
    ap.add_argument("--survey", metavar="CSV")
    ap.add_argument("--keyword")
    args = ap.parse_args(argv)
    donations = read_donations(args.donations)
    if not donations:
        sys.exit("no donations")
    weigh(donations, args.out)
    if args.survey:
        survey(args.survey, args.keyword)
        top_of_survey(args.survey)


if __name__ == "__main__":
    main()
