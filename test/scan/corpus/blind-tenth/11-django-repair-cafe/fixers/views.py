from itertools import groupby

from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, render

from . import talent
from .models import Fixer


def fixer_detail(request, slug):
    fixer = get_object_or_404(Fixer, slug=slug)
    passport = talent.passport_for(fixer.wallet) if fixer.wallet else None
    groups = []
    if passport:
        credentials = sorted(
            talent.credentials_for(passport["passport_id"]),
            key=lambda c: c["category"],
        )
        groups = [(name, list(items)) for name, items in groupby(credentials, key=lambda c: c["category"])]
    return render(
        request,
        "fixers/detail.html",
        {"fixer": fixer, "passport": passport, "groups": groups, "repairs": fixer.repairs.all()[:10]},
    )


@login_required
def recruit(request):
    keyword = request.GET.get("q", "").strip()
    context = {"keyword": keyword, "candidates": []}
    if keyword:
        result = talent.search(keyword, page=request.GET.get("page", 1))
        known = set(Fixer.objects.values_list("wallet", flat=True))
        context["candidates"] = [p for p in result["passports"] if p["main_wallet"] not in known]
        context["pagination"] = result["pagination"]
    return render(request, "fixers/recruit.html", context)
