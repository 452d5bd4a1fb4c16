import argparse
import sys

import structlog

from .client import KeyRefused, PassportClient
from .config import Config
from .store import best, open_store, upsert

log = structlog.get_logger()


def sync(config: Config) -> int:
    client = PassportClient(config.api_base, config.api_key)
    make_session = open_store(config.database_url)
    count = 0
    for row in client.iter_mentors(config.keyword, config.max_pages):
        if row.skill_points < 20 or not row.human:
            continue
        with make_session.begin() as session:
            upsert(session, row, client.proofs(row.external_id), client.links(row.external_id))
        count += 1
    return count


def show(config: Config) -> None:
    with open_store(config.database_url)() as session:
        for mentor in best(session):
            print(f"{mentor.skills_score:6.1f} {mentor.score:6.1f}  {mentor.display_name} ({mentor.location or '?'})")


def main() -> None:
    parser = argparse.ArgumentParser(prog="mentorpool-sync")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    config = Config()
    if args.show:
        return show(config)
    try:
        log.info("synced", mentors=sync(config))
    except KeyRefused as exc:
        log.error("stopped", reason=str(exc))
        sys.exit(2)


if __name__ == "__main__":
    main()
