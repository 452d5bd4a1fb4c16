import duckdb
import pandas as pd
from prefect import flow, task

from .config import settings
from .extract import extract_credentials, extract_people, extract_person, extract_projects
from .transform import credentials_frame, people_frame, projects_frame, socials_frame


@task
def load(table: str, frame: pd.DataFrame, path: str) -> int:
    with duckdb.connect(path) as con:
        con.register("incoming", frame)
        con.execute(f"create or replace table {table} as select * from incoming")
    return len(frame)


@task
def report(path: str, limit: int = 15) -> pd.DataFrame:
    with duckdb.connect(path, read_only=True) as con:
        return con.execute(
            """
            select p.name, p.home, p.skills, l.profile_url, c.share
            from people p
            left join linkedin l using (person_id)
            left join credentials c on c.person_id = p.person_id and c.category = 'Skills'
            where p.is_auditor and p.as_of > now() - interval 90 day
            order by p.skills desc, c.share desc
            limit ?
            """,
            [limit],
        ).df()


@flow(log_prints=True)
def auditors(keywords: list[str] = ["audit", "carbon", "verra"], country: str = "KE"):
    rows = [row for future in extract_people.map(keywords) for row in future.result()]
    ids = sorted({row["passport_id"] for row in rows})
    people = extract_person.map(ids).result()
    items = [c for batch in extract_credentials.map(ids).result() for c in batch]

    path = str(settings.warehouse)
    frames = {
        "people": people_frame(rows),
        "linkedin": socials_frame(people),
        "credentials": credentials_frame(items),
        "projects": projects_frame(extract_projects(country)),
    }
    for table, frame in frames.items():
        print(table, load(table, frame, path))
    print(report(path).to_string(index=False))


if __name__ == "__main__":
    auditors.serve(name="nightly", cron="15 2 * * *")
