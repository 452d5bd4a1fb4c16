import os

import httpx
from tenacity import retry, retry_if_exception_type, stop_after_attempt, wait_exponential

client = httpx.Client(
    base_url=os.environ["TALENT_BASE_URL"],
    headers={"X-API-KEY": os.environ.get("TALENT_API_KEY", "")},
    timeout=20,
)


class Retryable(Exception):
    pass


@retry(retry=retry_if_exception_type(Retryable), stop=stop_after_attempt(5), wait=wait_exponential(max=30))
def get_json(path, params=None):
    resp = client.get(path, params=params)
    if resp.status_code in (429, 500, 502, 503):
        raise Retryable(f"{path} -> {resp.status_code}")
    resp.raise_for_status()
    return resp.json()
