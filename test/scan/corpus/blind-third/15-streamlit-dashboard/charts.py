import pandas as pd
import plotly.express as px


def leaderboard_frame(passports: list[dict]) -> pd.DataFrame:
    rows = [
        {
            "Builder": p["passport_profile"]["display_name"] or p["main_wallet"][:8],
            "Score": p["score"],
            "Wallets": len(p["verified_wallets"]),
            "Human": p["human_checkmark"],
            "Tags": ", ".join(p["passport_profile"]["tags"]),
        }
        for p in passports
    ]
    return pd.DataFrame(rows)


def credential_chart(credentials: list[dict]):
    frame = pd.DataFrame(
        [(c["category"], c["name"], c["score"], c["max_score"]) for c in credentials],
        columns=["Category", "Credential", "Points", "Max"],
    )
    return px.bar(frame, x="Points", y="Credential", color="Category", orientation="h")


def score_pie(passport: dict):
    parts = {k: passport[k] for k in ("activity_score", "identity_score", "skills_score")}
    return px.pie(names=list(parts), values=list(parts.values()))
