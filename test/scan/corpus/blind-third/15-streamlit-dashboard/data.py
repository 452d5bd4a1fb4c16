import requests
import streamlit as st

API_URL = "https://api.talentprotocol.com/api/v1"
HEADERS = {"X-API-KEY": st.secrets["TALENT_API_KEY"]}


@st.cache_data(ttl=900)
def load_passport(wallet: str) -> dict | None:
    r = requests.get(f"{API_URL}/passports/{wallet}", headers=HEADERS, timeout=10)
    if r.ok:
        return r.json()["passport"]
    return None


@st.cache_data(ttl=900)
def load_credentials(passport_id: int) -> list[dict]:
    url = f"{API_URL}/passport_credentials"
    r = requests.get(url, headers=HEADERS, params={"passport_id": passport_id}, timeout=10)
    return r.json().get("passport_credentials", [])


@st.cache_data(ttl=3600)
def load_top(pages: int = 4) -> list[dict]:
    passports = []
    for page in range(1, pages + 1):
        r = requests.get(f"{API_URL}/passports", headers=HEADERS, params={"page": page}, timeout=20)
        if r.status_code != 200:
            st.error(f"The API answered {r.status_code}")
            st.stop()
        body = r.json()
        passports.extend(body["passports"])
        if page >= body["pagination"]["last_page"]:
            break
    return passports


@st.cache_data(ttl=3600)
def eth_price() -> float:
    r = requests.get("https://api.coingecko.com/api/v3/simple/price?ids=ethereum&vs_currencies=usd", timeout=10)
    return r.json().get("ethereum", {}).get("usd", 0)
