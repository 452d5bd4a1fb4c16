import altair as alt
import pandas as pd
import streamlit as st

from dune import active_wallets
from fetch import fetch_credentials, fetch_passports
from transform import add_tiers, passports_frame

st.set_page_config(page_title="Ambassador review", layout="wide")
st.title("Ambassador review")

with st.sidebar:
    keyword = st.text_input("Name contains", "")
    max_pages = st.slider("Pages", 1, 20, 4)
    only_humans = st.checkbox("Only verified humans", True)


@st.cache_data(ttl=3600, show_spinner="Loading passports…")
def load(keyword: str, max_pages: int) -> pd.DataFrame:
    return passports_frame(fetch_passports(keyword, max_pages))


df = load(keyword, max_pages)
if df.empty:
    st.info("No passports found.")
    st.stop()

if only_humans:
    df = df[df["human_checkmark"]]

df = add_tiers(df)
wallets = active_wallets(st.secrets["DUNE_QUERY_ID"])
df["active_onchain"] = df["main_wallet"].str.lower().isin(wallets)

c1, c2, c3 = st.columns(3)
c1.metric("Candidates", len(df))
c2.metric("Median score", int(df["score"].median()))
c3.metric("Active onchain", f"{df['active_onchain'].mean():.0%}")

chart = (
    alt.Chart(df)
    .mark_circle(size=70)
    .encode(
        x="identity_score",
        y="skills_score",
        color="tier",
        tooltip=["passport_id", "score"],
    )
)
st.altair_chart(chart, use_container_width=True)

table = df.rename(
    columns={
        "passport_profile.display_name": "Name",
        "passport_profile.location": "Where",
        "score": "Score",
    }
)
st.dataframe(table[["Name", "Where", "Score", "tier", "active_onchain"]], hide_index=True)

st.subheader("Look closer")
choice = st.selectbox("Passport", df["passport_id"].tolist())
if choice:
    creds = fetch_credentials(choice)
    if not creds:
        st.write("No credentials.")
    for cred in creds:
        st.progress(
            min(cred["score"] / max(cred["max_score"], 1), 1.0),
            text=f"{cred['name']}: {cred['value']}",
        )

st.download_button("CSV", table.to_csv(index=False), "ambassadors.csv", "text/csv")
