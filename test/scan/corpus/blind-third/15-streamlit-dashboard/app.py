import streamlit as st

from charts import credential_chart, leaderboard_frame, score_pie
from data import eth_price, load_credentials, load_passport, load_top

st.set_page_config(page_title="Builders", layout="wide")
st.sidebar.metric("ETH", f"${eth_price():,.0f}")
wallet = st.sidebar.text_input("Wallet or passport id")

if not wallet:
    st.title("Top builders")
    frame = leaderboard_frame(load_top())
    if st.sidebar.checkbox("Humans only"):
        frame = frame[frame["Human"]]
    st.dataframe(frame.sort_values("Score", ascending=False), use_container_width=True)
    st.stop()

passport = load_passport(wallet)
if passport is None:
    st.warning("No passport found")
    st.stop()

profile = passport["passport_profile"]
st.title(profile["display_name"] or wallet)
st.caption(profile.get("bio", ""))

left, right = st.columns(2)
left.metric("Score", passport["score"])
left.metric("Connections", passport.get("connections_count", 0))
left.write(f"Last calculated: {passport['last_calculated_at']}")
right.plotly_chart(score_pie(passport))

credentials = load_credentials(passport["passport_id"])
if credentials:
    st.plotly_chart(credential_chart(credentials))

for social in passport["passport_socials"]:
    source, url = social["source"], social["profile_url"]
    st.markdown(f"- [{source}]({url}) · {social['follower_count']} followers")
