from pathlib import Path

import altair as alt
import polars as pl

DATA = Path("data")
OUT = Path("report")


def load() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    return tuple(pl.read_parquet(DATA / f"{n}.parquet") for n in ("population", "members", "credentials"))


def percentile(population: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    scores = population["score"].drop_nulls().sort()
    return members.with_columns(
        pl.col("score")
        .map_elements(lambda s: scores.search_sorted(s) / len(scores), return_dtype=pl.Float64)
        .alias("percentile")
    )


def by_cohort(members: pl.DataFrame) -> pl.DataFrame:
    return (
        members.group_by("cohort")
        .agg(
            pl.len().alias("n"),
            pl.col("percentile").median(),
            pl.col("skills_score").mean().alias("skills"),
            pl.col("activity_score").mean().alias("activity"),
            pl.col("human_checkmark").mean().alias("human"),
            pl.col("followers").sum(),
        )
        .sort("cohort")
    )


def top_credentials(creds: pl.DataFrame) -> pl.DataFrame:
    return (
        creds.filter(pl.col("score") > 0)
        .group_by("category", "type")
        .agg(pl.col("wallet").n_unique().alias("people"), (pl.col("score") / pl.col("max_score")).mean().alias("fill"))
        .sort("people", descending=True)
        .head(20)
    )


def main() -> None:
    population, members, creds = load()
    members = percentile(population, members)
    table = by_cohort(members)
    OUT.mkdir(exist_ok=True)
    table.write_csv(OUT / "cohorts.csv")
    top_credentials(creds).write_csv(OUT / "credentials.csv")
    chart = alt.Chart(members.select("cohort", "percentile")).mark_boxplot().encode(x="cohort:N", y="percentile:Q")
    chart.save(OUT / "percentiles.html")
    print(table)


if __name__ == "__main__":
    main()
