import argparse
from datetime import date

import duckdb
from tqdm import tqdm

from chapters import api

DDL = """
create table if not exists builders (
    day date, id integer, name varchar, city varchar, score double, activity double, connections integer, wallet_count integer
);
create table if not exists socials (day date, builder_id integer, network varchar, handle varchar, followers integer);
create table if not exists skills (day date, builder_id integer, kind varchar, label varchar, points double, cap double);
"""


def builder_row(p, day):
    profile = p.get("passport_profile") or {}
    return (
        day,
        p["passport_id"],
        profile.get("display_name"),
        (profile.get("location") or "unknown").split(",")[0].strip().title(),
        p["score"],
        p["activity_score"],
        p.get("connections_count", 0),
        len(p["verified_wallets"]),
    )


def to_int(s):
    try:
        return int(s)
    except (TypeError, ValueError):
        return None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--keyword")
    ap.add_argument("--db", default="chapters.duckdb")
    ap.add_argument("--min-score", type=float, default=10)
    args = ap.parse_args()

    con = duckdb.connect(args.db)
    con.execute(DDL)
    day = date.today()

    people = [p for p in api.all_passports(args.keyword) if p["score"] and p["score"] >= args.min_score]
    con.executemany("insert into builders values (?,?,?,?,?,?,?,?)", [builder_row(p, day) for p in people])

    for p in tqdm(people):
        pid = p["passport_id"]
        full = api.passport(pid)
        for s in full["passport_socials"]:
            row = (day, pid, s["source"], s["profile_name"], to_int(s["follower_count"]))
            con.execute("insert into socials values (?,?,?,?,?)", row)
        for c in api.credentials(pid):
            con.execute(
                "insert into skills values (?,?,?,?,?,?)",
                (day, pid, c["category"], c["name"], c["score"], c["max_score"]),
            )
    print(con.execute("select city, count(*), avg(score) from builders where day = ? group by 1", [day]).df())


if __name__ == "__main__":
    main()
