import argparse
import logging

import requests

from etl.extract import fetch_credentials, iter_passports
from etl.http import make_session
from etl.load import connect, save_credentials, save_passport
from etl.models import CredentialRow, PassportRow

log = logging.getLogger("etl")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", default="passports.db")
    parser.add_argument("--pages", type=int)
    parser.add_argument("--min-score", type=float, default=10)
    args = parser.parse_args()

    session = make_session()
    db = connect(args.db)
    count = skipped = 0
    for raw in iter_passports(session, args.pages):
        if raw["calculating_score"]:
            skipped += 1
            continue
        row = PassportRow.from_api(raw)
        save_passport(db, row)
        if row.score >= args.min_score:
            try:
                credentials = fetch_credentials(session, row.passport_id)
            except requests.RequestException as exc:
                log.warning("credentials of %s: %s", row.passport_id, exc)
                credentials = []
            save_credentials(db, [CredentialRow.from_api(row.passport_id, c) for c in credentials])
        count += 1
        if count % 100 == 0:
            db.commit()
    db.commit()
    log.info("%d passports, %d skipped", count, skipped)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    main()
