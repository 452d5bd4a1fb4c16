import time

import requests
import streamlit as st

BASE_URL = st.secrets.get("TALENT_URL", "https://api.talentprotocol.com")
PASSPORTS_URL = f"{BASE_URL}/api/v1/passports"
CREDENTIALS_URL = f"{BASE_URL}/api/v1/passport_credentials"

session = requests.Session()
session.headers.update({"X-API-KEY": st.secrets["TALENT_API_KEY"], "Accept": "application/json"})


def fetch_passports(keyword: str, max_pages: int) -> list[dict]:
    rows: list[dict] = []
    page = 1
    while page <= max_pages:
        params = {"page": page}
        if keyword:
            params["keyword"] = keyword
        resp = session.get(PASSPORTS_URL, params=params, timeout=20)
        if resp.status_code != 200:
            st.warning(f"Page {page} answered {resp.status_code}, showing what we have")
            break
        body = resp.json()
        rows.extend(body["passports"])
        if page >= body["pagination"]["last_page"]:
            break
        page += 1
        time.sleep(0.4)
    return rows


@st.cache_data(ttl=3600)
def fetch_credentials(passport_id: int) -> list[dict]:
    resp = session.get(CREDENTIALS_URL, params={"passport_id": passport_id}, timeout=20)
    return resp.json().get("passport_credentials", [])
