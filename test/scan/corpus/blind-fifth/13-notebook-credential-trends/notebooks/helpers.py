"""Shared by the notebooks."""
import pandas as pd


def gini(values: pd.Series) -> float:
    v = values.dropna().sort_values().to_numpy()
    if len(v) == 0 or v.sum() == 0:
        return 0.0
    n = len(v)
    return float((2 * (pd.RangeIndex(1, n + 1).to_numpy() * v).sum()) / (n * v.sum()) - (n + 1) / n)


def score_inequality(passports: list[dict]) -> dict[str, float]:
    frame = pd.DataFrame.from_records(passports)
    return {
        "all": gini(frame["score"]),
        "humans": gini(frame.loc[frame["human_checkmark"], "score"]),
        "connections": gini(frame["connections_count"]),
    }


def label(passport: dict) -> str:
    profile = passport["passport_profile"]
    name = profile["display_name"] or profile.get("name") or passport["main_wallet"]
    return f"{name} ({passport['score']})"
