from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.shortcuts import get_object_or_404, render

from .models import Candidate
from .services import job_posts, passport_for


@login_required
def candidate(request, pk):
    row = get_object_or_404(Candidate, pk=pk)
    passport = passport_for(row.main_wallet)
    profile = passport.get("passport_profile") or {}  # read: passport.passport_profile; hazard: fallback-default
    context = {
        "name": profile.get("display_name") or row.display_name,  # read: passport.passport_profile.display_name
        "bio": profile.get("bio", ""),  # read: passport.passport_profile.bio
        "skills": passport.get("skills_score", 0),  # read: passport.skills_score; hazard: fallback-default
        "human": passport.get("human_checkmark", False),  # read: passport.human_checkmark; hazard: fallback-default
        "own_rating": row.score or 0,
        "tags": profile.get("tags", []),  # read: passport.passport_profile.tags[]; hazard: fallback-default
    }
    return render(request, "board/candidate.html", context)


@login_required
def candidate_links(request, pk):
    row = get_object_or_404(Candidate, pk=pk)
    links = {
        s["source"]: s["profile_url"]  # read: passport.passport_socials[].profile_url, passport.passport_socials[].source
        for s in passport_for(row.main_wallet).get("passport_socials", [])  # read: passport.passport_socials; hazard: fallback-default
    }
    return JsonResponse(links)


def posts(request, company):
    return JsonResponse({"posts": [{"id": p["id"], "name": p["name"]} for p in job_posts(company)]})
