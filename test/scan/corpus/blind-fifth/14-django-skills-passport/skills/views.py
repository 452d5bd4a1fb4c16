from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from .models import SkillsPassport


def _as_json(p):
    return {
        "passport_id": p.passport_id,
        "score": p.score,
        "skills_score": p.skills_score,
        "passport_profile": {"display_name": p.display_name},
        "last_calculated_at": p.last_calculated_at,
    }


@require_GET
def passport_list(request):
    query = SkillsPassport.objects.order_by("-score")
    keyword = request.GET.get("keyword")
    if keyword:
        query = query.filter(display_name__icontains=keyword)
    return JsonResponse({"passports": [_as_json(p) for p in query[:25]]})


@require_GET
def passport_detail(request, passport_id):
    passport = get_object_or_404(SkillsPassport, passport_id=passport_id)
    credentials = list(passport.credentials.values("name", "category", "score", "max_score", "earned_at"))
    return JsonResponse({"passport": _as_json(passport), "passport_credentials": credentials})
