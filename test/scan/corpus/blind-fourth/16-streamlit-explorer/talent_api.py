import requests
import streamlit as st

BASE = st.secrets["talent"]["url"].rstrip("/") + "/api/v1"
KEY = st.secrets["talent"]["key"]


def call(endpoint, **params):
    r = requests.get(f"{BASE}/{endpoint}", params=params, headers={"X-API-KEY": KEY})
    return r.json()


@st.cache_data(ttl=600)
def search(keyword):
    data = call("passports", keyword=keyword)
    return data.get("passports", []), data.get("pagination", {}).get("total", 0)


@st.cache_data(ttl=600)
def passport(pid):
    return call(f"passports/{pid}").get("passport")


@st.cache_data(ttl=600)
def credentials(pid):
    try:
        return call("passport_credentials", passport_id=pid)["passport_credentials"]
    except Exception:
        return []
