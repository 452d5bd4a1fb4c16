"""Access to the passport API over the Airflow connection `talent_api` (host + extra with the X-API-KEY header)."""

from typing import Any, Iterator

from airflow.exceptions import AirflowException
from airflow.providers.http.hooks.http import HttpHook

V1 = "api/v1"


class TalentHook(HttpHook):
    def __init__(self, http_conn_id: str = "talent_api") -> None:
        super().__init__(method="GET", http_conn_id=http_conn_id)

    def fetch(self, path: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        # HttpHook.run raises an AirflowException for everything that is not 2xx or 3xx
        response = self.run(f"{V1}/{path}", data=params, extra_options={"timeout": 20})
        return response.json()

    def iter_passports(self, keyword: str | None = None) -> Iterator[dict[str, Any]]:
        page, last = 1, 1
        while page <= last:
            body = self.fetch("passports", {"page": page, "keyword": keyword})
            yield from body["passports"]
            last = body["pagination"]["last_page"]
            page += 1

    def passport(self, passport_id: int) -> dict[str, Any]:
        try:
            return self.fetch(f"passports/{passport_id}")["passport"]
        except AirflowException:
            self.log.exception("passport %s was not readable", passport_id)
            return {}

    def credentials(self, passport_id: int) -> list[dict[str, Any]]:
        body = self.fetch("passport_credentials", {"passport_id": str(passport_id)})
        return body["passport_credentials"]
