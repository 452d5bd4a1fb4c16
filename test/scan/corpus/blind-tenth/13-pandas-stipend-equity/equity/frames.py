import pandas as pd


def people_frame(passports):
    people = pd.json_normalize(list(passports))
    people["last_calculated_at"] = pd.to_datetime(people["last_calculated_at"], utc=True)
    people["n_wallets"] = people["verified_wallets"].str.len()
    people["region"] = people["passport_profile.location"].fillna("unknown").map(normalise)
    return people[~people["calculating_score"]]


def normalise(place):
    last = place.rsplit(",", 1)[-1].strip()
    return {"UK": "United Kingdom", "USA": "United States", "": "unknown"}.get(last, last)


def credential_frame(rows):
    frame = pd.DataFrame(rows)
    if frame.empty:
        return frame
    frame["share"] = frame["score"] / frame["max_score"]
    frame["earned_at"] = pd.to_datetime(frame["earned_at"], errors="coerce", utc=True)
    return frame


def load_stipends(path):
    stipends = pd.read_csv(path, dtype={"wallet": str})
    stipends["wallet"] = stipends["wallet"].str.lower()
    return stipends.groupby("wallet", as_index=False)["amount_usd"].sum()
