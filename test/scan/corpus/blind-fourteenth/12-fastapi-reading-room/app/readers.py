from app.schemas import Credential, Passport, ReaderOut
from app.settings import Settings


def avatar(passport: Passport) -> str | None:
    by_source = {s.source: s for s in passport.socials}
    for source in ("farcaster", "lens", "github"):
        if social := by_source.get(source):
            return social.profile_image_url
    return None


def loan_limit(passport: Passport, settings: Settings) -> int:
    limit = settings.loan_limit_default
    if passport.human:
        limit += 2
    if passport.score >= settings.trusted_score:
        limit += 4
    return limit


def build_reader(passport: Passport, credentials: list[Credential], settings: Settings) -> ReaderOut:
    profile = passport.profile
    return ReaderOut(
        id=passport.id,
        name=profile.display_name or "Anonymous reader",
        avatar=avatar(passport),
        score=passport.score,
        loan_limit=loan_limit(passport, settings),
        tags=profile.tags,
        skills=[c.name for c in credentials if c.category == "Skills" and c.earned_at],
    )
