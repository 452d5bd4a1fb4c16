import httpx
from prefect import get_run_logger, task
from prefect.tasks import exponential_backoff

from .config import settings, talent_headers

ENDPOINTS = {
    "people": f"{settings.talent_prefix}/passports",
    "credentials": f"{settings.talent_prefix}/passport_credentials",
}


def _client() -> httpx.Client:
    return httpx.Client(base_url=settings.talent_host, headers=talent_headers(), timeout=20)


@task(retries=3, retry_delay_seconds=exponential_backoff(backoff_factor=5))
def extract_people(keyword: str) -> list[dict]:
    rows: list[dict] = []
    with _client() as client:
        for page in range(1, settings.max_pages + 1):
            r = client.get(ENDPOINTS["people"], params={"keyword": keyword, "page": page})
            r.raise_for_status()
            payload = r.json()
            rows += payload["passports"]
            if page >= payload["pagination"]["last_page"]:
                get_run_logger().info("%s: %d of %d", keyword, len(rows), payload["pagination"]["total"])
                break
    return rows


@task(retries=3, retry_delay_seconds=10, task_run_name="person-{ident}")
def extract_person(ident: int) -> dict:
    with _client() as client:
        r = client.get(f"{ENDPOINTS['people']}/{ident}")
    if r.status_code != 200:
        get_run_logger().warning("person %s: HTTP %s", ident, r.status_code)
        return {}
    return r.json()["passport"]


@task(retries=3, retry_delay_seconds=10)
def extract_credentials(ident: int) -> list[dict]:
    with _client() as client:
        r = client.get(ENDPOINTS["credentials"], params={"passport_id": ident})
    items = r.json().get("passport_credentials", [])
    return [{**item, "passport_id": ident} for item in items]


@task(retries=2)
def extract_projects(country: str) -> list[dict]:
    r = httpx.post(
        f"{settings.registry_url}/resource/resource/search",
        json={"program": "VCS", "resourceIdentifier": "", "country": country},
        timeout=60,
    )
    r.raise_for_status()
    return r.json()["value"]
