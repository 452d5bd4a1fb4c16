import pandas as pd

TIERS = [0, 30, 60, 90, float("inf")]
LABELS = ["newcomer", "regular", "core", "lead"]


def passports_frame(rows: list[dict]) -> pd.DataFrame:
    df = pd.json_normalize(rows)
    if df.empty:
        return df
    df["last_calculated_at"] = pd.to_datetime(df["last_calculated_at"], errors="coerce")
    df = df.dropna(subset=["score", "main_wallet"])
    df = df.drop_duplicates("passport_id")
    df["wallets"] = df["verified_wallets"].str.len()
    return df.sort_values("score", ascending=False)


def add_tiers(df: pd.DataFrame) -> pd.DataFrame:
    out = df.copy()
    out["tier"] = pd.cut(out["score"], TIERS, labels=LABELS, right=False).astype(str)
    out["stale"] = out["last_calculated_at"] < pd.Timestamp.now(tz="UTC") - pd.Timedelta(days=45)
    out.loc[out["stale"], "tier"] = "to refresh"
    return out
