import argparse
from pathlib import Path

import polars as pl
from tqdm import tqdm

from . import source

OUT = Path("data")

SCHEMA = {
    "passport_id": pl.Int64,
    "score": pl.Float64,
    "activity_score": pl.Float64,
    "identity_score": pl.Float64,
    "skills_score": pl.Float64,
    "human_checkmark": pl.Boolean,
    "last_calculated_at": pl.String,
    "location": pl.String,
    "wallet_count": pl.Int64,
}


def flat(p: dict) -> dict:
    row = {k: p.get(k) for k in SCHEMA}
    row["location"] = (p.get("passport_profile") or {}).get("location")
    row["wallet_count"] = len(p.get("verified_wallets") or [])
    return row


def population(pages: int) -> pl.DataFrame:
    rows = [flat(p) for p in tqdm(source.passports(pages), desc="population")]
    return pl.DataFrame(rows, schema=SCHEMA)


def members(cohorts: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    people, creds = [], []
    for wallet, cohort in tqdm(cohorts.select("wallet", "cohort").iter_rows(), total=cohorts.height):
        p = source.passport(wallet)
        if p is None:
            continue
        socials = p["passport_socials"]
        people.append(
            flat(p)
            | {
                "cohort": cohort,
                "wallet": wallet,
                "networks": [s["source"] for s in socials],
                "followers": sum(int(s["follower_count"] or 0) for s in socials),
            }
        )
        for c in source.credentials(wallet):
            creds.append({"wallet": wallet, "cohort": cohort, **c})
    return pl.DataFrame(people), pl.DataFrame(creds)


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--cohorts", type=Path, required=True)
    ap.add_argument("--pages", type=int, default=40)
    args = ap.parse_args()

    OUT.mkdir(exist_ok=True)
    population(args.pages).write_parquet(OUT / "population.parquet")
    people, creds = members(pl.read_csv(args.cohorts))
    people.write_parquet(OUT / "members.parquet")
    creds.write_parquet(OUT / "credentials.parquet")


if __name__ == "__main__":
    main()
