from django.http import Http404
from django.shortcuts import redirect, render
from django.views import View

from . import talent
from .models import Member


def directory(request):
    keyword = request.GET.get("q", "")
    passports, total = talent.list_passports(keyword)
    known = set(Member.objects.values_list("wallet", flat=True))
    for passport in passports:
        passport["is_member"] = passport["main_wallet"] in known
    return render(request, "builders/directory.html", {"passports": passports, "total": total, "q": keyword})


class ProfileView(View):
    def get(self, request, wallet):
        passport = talent.get_passport(wallet)
        if passport is None:
            raise Http404("No passport")
        return render(request, "builders/profile.html", {"passport": passport, "profile": passport["passport_profile"]})


class JoinView(View):
    def post(self, request):
        wallet = request.POST["wallet"]
        passport = talent.get_passport(wallet) or {}
        member, _ = Member.objects.update_or_create(
            wallet=wallet,
            defaults={
                "score": passport.get("score", 0),
                "display_name": passport.get("passport_profile", {}).get("display_name") or wallet[:10],
                "human": passport.get("human_checkmark", False),
            },
        )
        return redirect("member", pk=member.pk)
