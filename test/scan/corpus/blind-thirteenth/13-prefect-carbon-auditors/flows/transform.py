import pandas as pd
from prefect import task

PERSON_COLUMNS = {
    "passport_id": "person_id",
    "passport_profile.display_name": "name",
    "passport_profile.location": "home",
    "passport_profile.tags": "tags",
    "skills_score": "skills",
    "identity_score": "identity",
    "last_calculated_at": "as_of",
}


@task
def people_frame(rows: list[dict]) -> pd.DataFrame:
    df = pd.json_normalize(rows)
    df = df[df["human_checkmark"]].drop_duplicates("passport_id")
    df = df[list(PERSON_COLUMNS)].rename(columns=PERSON_COLUMNS)
    df["as_of"] = pd.to_datetime(df["as_of"], utc=True, errors="coerce")
    df["is_auditor"] = df["tags"].apply(lambda tags: any("audit" in t.lower() for t in tags))
    return df.drop(columns="tags")


@task
def socials_frame(people: list[dict]) -> pd.DataFrame:
    df = pd.json_normalize(
        [p for p in people if p],
        record_path="passport_socials",
        meta=["passport_id"],
    )
    df["followers"] = pd.to_numeric(df["follower_count"], errors="coerce").fillna(0).astype(int)
    linkedin = df.query("source == 'linkedin'")
    return linkedin[["passport_id", "profile_url", "followers"]].rename(columns={"passport_id": "person_id"})


@task
def credentials_frame(items: list[dict]) -> pd.DataFrame:
    df = pd.DataFrame(items, columns=["passport_id", "category", "type", "score", "max_score", "earned_at"])
    df = df.dropna(subset=["earned_at"])
    df["share"] = df["score"] / df["max_score"].replace(0, pd.NA)
    return (
        df.groupby(["passport_id", "category"], as_index=False)
        .agg(items=("type", "nunique"), share=("share", "mean"))
        .rename(columns={"passport_id": "person_id"})
    )


@task
def projects_frame(rows: list[dict]) -> pd.DataFrame:
    df = pd.DataFrame(rows)
    return df[["resourceIdentifier", "resourceName", "estAnnualEmissionReductions", "score"]].assign(
        verified=df["resourceStatus"].eq("Registered")
    )
