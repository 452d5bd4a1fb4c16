import requests
from django.conf import settings
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET, require_POST

from .models import TrustRecord


@require_GET
def trust_json(request, username):
    record = get_object_or_404(TrustRecord, user__username=username)
    return JsonResponse({"score": record.score, "level": record.level, "passport_id": record.passport_id})


@require_POST
def check_spam(request):
    payload = {"blog": "https://forum.example.org", "user_ip": request.META["REMOTE_ADDR"]}
    payload["comment_content"] = request.POST["body"]
    r = requests.post(f"https://{settings.AKISMET_KEY}.rest.akismet.com/1.1/comment-check", data=payload, timeout=5)
    return JsonResponse({"spam": r.text == "true"})
