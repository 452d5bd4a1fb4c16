from django.http import JsonResponse
from django.shortcuts import get_object_or_404

from .models import Member


def passports(request):
    """Serves /api/v1/passports of our own site."""
    keyword = request.GET.get("keyword", "")
    members = Member.objects.filter(display_name__icontains=keyword)
    body = [
        {"passport_id": m.passport_id, "score": m.score or 0, "main_wallet": m.main_wallet}
        for m in members
    ]
    return JsonResponse({"passports": body, "pagination": {"total": len(body)}})


def passport(request, wallet):
    member = get_object_or_404(Member, wallet=wallet)
    return JsonResponse({"passport": {"score": member.score, "level": member.level()}})
