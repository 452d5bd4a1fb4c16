import stripe
from django.conf import settings
from django.http import JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from .models import Vendor
from .services.reputation import safe_score

stripe.api_key = settings.STRIPE_SECRET


def vendor_list(request):
    vendors = Vendor.objects.filter(verified=True).prefetch_related("crafts")
    return render(request, "stalls/list.html", {"vendors": vendors})


@require_POST
def apply_for_stall(request):
    wallet = request.POST["wallet"]
    if safe_score(wallet) < 40:
        return render(request, "stalls/rejected.html", status=403)
    account = stripe.Account.create(type="express")
    vendor = Vendor.objects.create(name=request.POST["name"], wallet=wallet, stripe_account=account.id)
    return redirect("vendor", pk=vendor.pk)


def vendor_json(request, pk):
    v = get_object_or_404(Vendor, pk=pk)
    return JsonResponse({"passport_id": v.passport_id, "score": v.score, "location": v.location})
