from __future__ import annotations

from datetime import timedelta

import pendulum
from airflow.decorators import dag, task
from airflow.exceptions import AirflowSkipException
from airflow.models import Variable
from airflow.providers.postgres.hooks.postgres import PostgresHook

from include.rows import audience_row, credential_rows, passport_row
from include.sql import MART, MOVERS
from include.talent import TalentHook


@dag(
    schedule="17 3 * * *",
    start_date=pendulum.datetime(2024, 9, 1, tz="UTC"),
    catchup=False,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=10)},
    tags=["reputation"],
)
def reputation_mart():
    @task
    def create_tables() -> None:
        PostgresHook("warehouse").run(MART)

    @task
    def load_passports(ds: str | None = None) -> list[int]:
        floor = float(Variable.get("reputation_min_score", default_var=15))
        rows, wanted = [], []
        for passport in TalentHook().iter_passports():
            if passport["calculating_score"]:
                continue
            if passport["score"] < floor:
                break  # the list is sorted, nothing better follows
            rows.append(passport_row(passport, ds))
            if passport["human_checkmark"]:
                wanted.append(passport["passport_id"])
        if not rows:
            raise AirflowSkipException("no passports today")
        PostgresHook("warehouse").insert_rows("mart_passports", rows, replace=True, replace_index=["snapshot", "passport_id"])
        return wanted

    @task
    def chunks(ids: list[int]) -> list[list[int]]:
        return [ids[i : i + 100] for i in range(0, len(ids), 100)]

    @task(max_active_tis_per_dag=2)
    def load_credentials(ids: list[int], ds: str | None = None) -> int:
        hook, rows = TalentHook(), []
        for passport_id in ids:
            rows += credential_rows(passport_id, hook.credentials(passport_id), ds)
        PostgresHook("warehouse").insert_rows("mart_credentials", rows)
        return len(rows)

    @task(max_active_tis_per_dag=2)
    def load_audience(ids: list[int]) -> None:
        hook = TalentHook()
        rows = [audience_row(hook.passport(i)) for i in ids]
        PostgresHook("warehouse").insert_rows(
            "mart_audience", [r for r in rows if r[0]], replace=True, replace_index=["passport_id"]
        )

    @task
    def report(counts: list[int], ds: str | None = None) -> None:
        movers = PostgresHook("warehouse").get_records(MOVERS, parameters={"day": ds})
        print(f"{sum(counts)} credentials")
        for passport_id, display_name, gain in movers:
            print(f"{gain:+6.1f} {display_name} ({passport_id})")

    groups = chunks(load_passports())
    create_tables() >> groups
    counts = load_credentials.expand(ids=groups)
    load_audience.expand(ids=groups)
    report(counts)


reputation_mart()
