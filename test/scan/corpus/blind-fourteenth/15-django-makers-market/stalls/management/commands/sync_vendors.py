import requests
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from stalls.models import Craft, Vendor
from stalls.services.reputation import ReputationError, load_reputation


class Command(BaseCommand):
    help = "Refresh the reputation of all vendors"

    def add_arguments(self, parser):
        parser.add_argument("--limit", type=int, default=100)

    def handle(self, *args, **options):
        failed = 0
        for vendor in Vendor.objects.order_by("synced_at")[: options["limit"]]:
            try:
                rep = load_reputation(vendor.wallet)
            except (ReputationError, requests.RequestException) as exc:
                failed += 1
                self.stderr.write(f"{vendor.wallet}: {exc}")
                continue
            self.apply(vendor, rep)
        self.stdout.write(self.style.SUCCESS(f"done, {failed} failed"))

    @transaction.atomic
    def apply(self, vendor, rep):
        vendor.passport_id = rep.passport_id
        vendor.score = rep.score
        vendor.verified = rep.human
        vendor.location = rep.location
        vendor.synced_at = timezone.now()
        vendor.save()
        for slug, label, points in rep.crafts:
            Craft.objects.update_or_create(vendor=vendor, slug=slug, defaults={"label": label, "points": points})
