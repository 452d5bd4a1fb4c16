import argparse

from .jobs import ambiguous, assess_source
from .store import connection


def main() -> None:
    parser = argparse.ArgumentParser(description="Queue sources that were not checked for a while")
    parser.add_argument("--days", type=int, default=14)
    args = parser.parse_args()
    query = "select id, name, wallet from sources where checked_at < now() - make_interval(days => %s)"
    with connection() as db:
        for source_id, name, wallet in db.execute(query, (args.days,)):
            assess_source.delay(source_id, wallet)
            if name:
                ambiguous.delay(name)


if __name__ == "__main__":
    main()
