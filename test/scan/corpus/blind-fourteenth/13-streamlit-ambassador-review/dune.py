import requests
import streamlit as st

DUNE = "https://api.dune.com/api/v1/query/{}/results"


@st.cache_data(ttl=86400)
def active_wallets(query_id: str) -> set[str]:
    resp = requests.get(
        DUNE.format(query_id),
        headers={"X-Dune-API-Key": st.secrets["DUNE_API_KEY"]},
        params={"limit": 5000},
        timeout=60,
    )
    resp.raise_for_status()
    rows = resp.json()["result"]["rows"]
    return {row["wallet"].lower() for row in rows if row["score"] > 0}
