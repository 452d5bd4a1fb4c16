from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from .models import Member
from .talent import TalentUnavailable, get_passport


@require_GET
def member_detail(request, wallet):
    member = get_object_or_404(Member, wallet=wallet)
    return JsonResponse(
        {
            "passport_id": member.passport_id,
            "display_name": member.display_name,
            "score": member.score,
            "tier": member.tier,
        }
    )


@require_GET
def live_score(request, wallet):
    try:
        passport = get_passport(wallet) or {}
    except TalentUnavailable:
        return JsonResponse({"score": 0, "wallets": []})
    return JsonResponse(
        {
            "score": passport.get("score", 0),
            "wallets": passport.get("verified_wallets", []),
            "socials": {s["source"]: s["profile_url"] for s in passport.get("passport_socials", [])},
        }
    )
