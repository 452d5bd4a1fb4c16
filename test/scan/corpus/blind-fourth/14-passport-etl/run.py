import argparse

from etl.extract import credentials_of, iter_passports, make_session
from etl.load import load
from etl.transform import to_row


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", default="builders.sqlite")
    parser.add_argument("--keyword")
    parser.add_argument("--min-score", type=int, default=0)
    args = parser.parse_args()

    session = make_session()
    rows = (
        to_row(p, credentials_of(session, p["passport_id"]))
        for p in iter_passports(session, args.keyword)
        if p["score"] >= args.min_score
    )
    print(f"{load(args.db, rows)} builders written to {args.db}")


if __name__ == "__main__":
    main()
