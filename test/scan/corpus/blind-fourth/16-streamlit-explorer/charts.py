import altair as alt
import pandas as pd


def score_parts(passport):
    frame = pd.DataFrame(
        {
            "part": ["Activity", "Identity", "Skills"],
            "points": [
                passport["activity_score"],
                passport["identity_score"],
                passport["skills_score"],
            ],
        }
    )
    return alt.Chart(frame).mark_bar().encode(x="part", y="points")


def credential_table(items):
    rows = []
    for item in items:
        rows.append(
            {
                "Credential": item["name"],
                "Category": item["category"],
                "Value": item.get("value") or "",
                "Points": item["score"],
                "Share": item["score"] / item["max_score"] if item["max_score"] else 0,
                "Earned": item["earned_at"],
            }
        )
    table = pd.DataFrame(rows)
    return table.sort_values("Points", ascending=False) if rows else table
