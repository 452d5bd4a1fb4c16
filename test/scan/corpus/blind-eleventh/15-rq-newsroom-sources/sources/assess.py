from collections.abc import Iterable

from .types import Credential, Passport, Social, SourceRow

IDENTITY_TYPES = ("world_id_human", "passport_xyz", "binance_kyc")


def trust_level(passport: Passport, credentials: Iterable[Credential]) -> str:
    match passport:
        case {"human_checkmark": True, "identity_score": points} if points >= 15:
            return "high"
        case {"merged": True}:
            return "check"
    proofs = [c for c in credentials if c["type"] in IDENTITY_TYPES and c["earned_at"]]
    if any((c["value"] or "").startswith("Verified") for c in proofs):
        return "medium"
    return "low"


def _links(socials: Iterable[Social]) -> list[str]:
    return [f"{s['source']}={s['profile_url']}" for s in socials if s["profile_url"]]


def build_row(source_id: int, passport: Passport, credentials: list[Credential]) -> SourceRow:
    profile = passport["passport_profile"]
    socials = passport.get("passport_socials") or []
    names = [profile["display_name"], *(s["profile_display_name"] for s in socials)]
    return SourceRow(
        source_id=source_id,
        name=next((n for n in names if n), "unnamed"),
        trust=trust_level(passport, credentials),
        score=passport["score"],
        links=_links(socials),
    )
