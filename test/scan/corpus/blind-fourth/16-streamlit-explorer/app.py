import streamlit as st

import talent_api
from charts import credential_table, score_parts

st.set_page_config(page_title="Passport explorer")
st.title("Passport explorer")

keyword = st.text_input("Name")
if not keyword:
    st.stop()

results, total = talent_api.search(keyword)
st.caption(f"{total} passports")
if not results:
    st.info("Nobody found")
    st.stop()


def label(p):
    name = p["passport_profile"]["display_name"]
    return f"{name} ({p['score']})"


choice = st.selectbox("Passport", results, format_func=label)
full = talent_api.passport(choice["passport_id"])
if full is None:
    st.error("This passport could not be loaded")
    st.stop()

left, right = st.columns(2)
left.metric("Score", full["score"])
left.write(full["passport_profile"]["bio"])
if full["merged"]:
    left.warning("merged passport")
for wallet in full["verified_wallets"]:
    left.code(wallet)
for s in full["passport_socials"]:
    right.markdown(f"[{s['source']}]({s['profile_url']}): {int(s['follower_count'] or 0)} followers")

st.altair_chart(score_parts(full))
st.dataframe(credential_table(talent_api.credentials(full["passport_id"])))
