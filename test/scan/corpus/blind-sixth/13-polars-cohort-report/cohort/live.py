"""Quick look in a terminal, without the parquet files: the first pages by score."""
import sys

import polars as pl

from .source import passports


def main(pages: int = 2) -> None:
    df = pl.from_dicts(list(passports(pages)))
    df = df.unnest("passport_profile")
    fresh = df.filter(~pl.col("calculating_score"))
    print(
        fresh.select(
            "passport_id",
            pl.col("display_name").fill_null("-"),
            "location",
            pl.col("score").rank("ordinal", descending=True).alias("rank"),
            pl.col("tags").list.len().alias("tag_count"),
            pl.col("connections_count"),
        ).sort("rank")
    )
    print("humans:", fresh["human_checkmark"].sum(), "of", fresh.height)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
