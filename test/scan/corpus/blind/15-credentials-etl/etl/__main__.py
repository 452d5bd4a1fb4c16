import logging
import sys

from . import store
from .http import get_json
from .records import to_row

PASSPORTS = "/api/v1/passports"
CREDENTIALS = "/api/v1/passport_credentials"

log = logging.getLogger("etl")


def passports(keyword=None):
    page = 1
    while True:
        data = get_json(PASSPORTS, {"keyword": keyword, "page": page} if keyword else {"page": page})
        for passport in data["passports"]:
            yield passport
        if page >= data["pagination"]["last_page"]:
            return
        page += 1


def credentials(passport_id):
    data = get_json(CREDENTIALS, params={"passport_id": passport_id})
    return data["passport_credentials"]


def run(db_path, keyword=None):
    db = store.connect(db_path)
    for p in passports(keyword):
        pid = p["passport_id"]
        profile = p.get("passport_profile") or {}
        db.execute(
            "insert or replace into passports values (?,?,?)",
            (pid, p["score"], profile.get("display_name")),
        )
        try:
            rows = [to_row(pid, raw) for raw in credentials(pid)]
        except Exception:
            log.exception("credentials of %s", pid)
            rows = []
        store.save_credentials(db, rows)
        log.info("%s: %d credentials", pid, len(rows))
    for kind, count, avg in store.top_kinds(db):
        print(f"{kind:30} {count:6} {avg:6.1f}")
    print("average score", store.average_score(db))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    run(*sys.argv[1:3])
