from datetime import timedelta

from .schemas import Credential, Passport, Window
from .settings import Settings

EARLY_TYPES = {"active_wallet", "world_id", "github_crypto_repositories"}


def tier_for(passport: Passport, credentials: list[Credential], settings: Settings, holder: bool) -> str:
    if not passport.human or passport.calculating:
        return "public"
    if holder or passport.score >= settings.vip_score:
        return "vip"
    earned = {c.type for c in credentials if c.earned_at}
    if earned & EARLY_TYPES or any(s.source == "farcaster" for s in passport.socials):
        return "early"
    return "public"


def build_window(wallet: str, passport: Passport, tier: str, settings: Settings) -> Window:
    head_start = {"vip": timedelta(hours=48), "early": timedelta(hours=24), "public": timedelta()}[tier]
    return Window(
        wallet=wallet,
        name=passport.profile.display_name,
        tier=tier,
        score=passport.score,
        opens_at=settings.opens_at - head_start,
        max_tickets=4 if len(passport.wallets) > 1 else 2,
    )
