"""Plain urllib, because nothing else may be installed."""
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

HOST = os.environ["PASSPORT_HOST"].rstrip("/")
KEY = os.environ.get("PASSPORT_KEY")

ONE = "/api/v1/passports/%s"
MANY = "/api/v1/passports?"
CREDENTIALS = "/api/v1/passport_credentials?passport_id=%s"


def load(path, tries=3):
    req = urllib.request.Request(HOST + path)
    if KEY:
        req.add_header("X-API-KEY", KEY)
    for attempt in range(tries):
        try:
            with urllib.request.urlopen(req, timeout=20) as res:
                return json.load(res)
        except urllib.error.HTTPError as e:
            if e.code < 500 and e.code != 429:
                raise
            time.sleep(2 ** attempt)
    raise RuntimeError(f"gave up on {path}")


def passport_of(wallet):
    """None when there is none, or when the service could not say."""
    try:
        return load(ONE % urllib.parse.quote(wallet))["passport"]
    except (urllib.error.URLError, RuntimeError) as e:
        print(f"! {wallet}: {e}", file=sys.stderr)
        return None


def credentials_of(pid):
    return load(CREDENTIALS % pid)["passport_credentials"]


def everyone(keyword=None):
    page = 1
    while True:
        query = {"page": page}
        if keyword:
            query["keyword"] = keyword
        body = load(MANY + urllib.parse.urlencode(query))
        yield from body["passports"]
        meta = body["pagination"]
        if meta["current_page"] >= meta["last_page"]:
            return
        page += 1
        time.sleep(0.4)  # 25 requests in 10 seconds
