"""Are stipends fair across regions once reputation is held equal?

    python -m equity.analyse stipends.csv --keyword builder --out report/
"""
import argparse
from pathlib import Path

import pandas as pd

from . import fetch, frames


def join(people, stipends):
    people = people.assign(wallet=people["main_wallet"].str.lower())
    merged = people.merge(stipends, on="wallet", how="left")
    merged["amount_usd"] = merged["amount_usd"].fillna(0)
    return merged


def by_region(merged, prices):
    table = (
        merged.groupby("region")
        .agg(
            people=("passport_id", "count"),
            median_score=("score", "median"),
            humans=("human_checkmark", "mean"),
            paid=("amount_usd", "sum"),
        )
        .reset_index()
    )
    table["price_level"] = table["region"].map(prices).fillna(1.0)
    table["paid_ppp"] = table["paid"] / table["price_level"]
    table["per_point"] = table["paid_ppp"] / (table["median_score"] * table["people"]).clip(lower=1)
    return table.sort_values("per_point")


def stale(people, days=45):
    cutoff = pd.Timestamp.now(tz="UTC") - pd.Timedelta(days=days)
    old = people.loc[people["last_calculated_at"] < cutoff, ["passport_id", "passport_profile.display_name"]]
    return old


def credential_mix(credentials):
    if credentials.empty:
        return pd.DataFrame(columns=["Activity", "Identity", "Skills"])
    return credentials.pivot_table(index="owner", columns="category", values="share", aggfunc="mean")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stipends", type=Path)
    parser.add_argument("--keyword", default="")
    parser.add_argument("--out", type=Path, default=Path("report"))
    args = parser.parse_args()
    args.out.mkdir(exist_ok=True)

    people = frames.people_frame(fetch.all_passports(args.keyword))
    merged = join(people, frames.load_stipends(args.stipends))
    table = by_region(merged, fetch.price_levels())
    table.to_csv(args.out / "regions.csv", index=False)

    top = merged.nlargest(50, "score")
    details = frames.credential_frame(fetch.credentials_of(top["passport_id"]))
    credential_mix(details).to_csv(args.out / "mix.csv")

    correlation = merged[["activity_score", "skills_score", "amount_usd"]].corr()
    print(correlation.round(2).to_string())
    print(f"{len(stale(people))} records are older than 45 days")
    print(table.to_string(index=False))


if __name__ == "__main__":
    main()
