from django.core.management.base import BaseCommand
from django.utils import timezone

from fixers import talent
from fixers.models import Fixer


class Command(BaseCommand):
    help = "Refresh the numbers shown on the fixer board"

    def handle(self, *args, **options):
        for fixer in Fixer.objects.exclude(wallet=""):
            record = talent.passport_for(fixer.wallet)
            fixer.score = record["score"] if record else 0
            if record:
                profile = record.get("passport_profile") or {}
                place = profile.get("location")
                if place:
                    fixer.town = talent.geocode(place)
                fixer.specialty = ", ".join(profile.get("tags", [])[:3])
            fixer.checked_at = timezone.now()
            fixer.save(update_fields=["score", "town", "specialty", "checked_at"])
            self.stdout.write(f"{fixer.nickname}: {fixer.score}")
