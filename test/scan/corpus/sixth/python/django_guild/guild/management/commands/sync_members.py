import requests
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.dateparse import parse_datetime

from guild.models import Member

PASSPORT_ENDPOINT = settings.PASSPORT_API + "/api/v1/passports/"


class Command(BaseCommand):
    help = "Refreshes the score of every member."

    def add_arguments(self, parser):
        parser.add_argument("--limit", type=int, default=500)

    def fetch(self, wallet):
        try:
            r = requests.get(PASSPORT_ENDPOINT + wallet, headers={"X-API-KEY": settings.PASSPORT_KEY})  # call: passport
            r.raise_for_status()
            return r.json().get("passport") or {}  # hazard: fallback-default
        except Exception as e:  # hazard: catch-default
            self.stderr.write(f"{wallet}: {e}")
            return {}

    def handle(self, *args, **options):
        updated = 0
        for member in Member.objects.all()[: options["limit"]]:
            data = self.fetch(member.wallet)
            if not data:
                continue
            old = member.score
            member.passport_id = data.get("passport_id")  # read: passport.passport_id
            member.score = data.get("score") or 0  # read: passport.score; hazard: fallback-default
            member.main_wallet = data.get("main_wallet") or member.wallet  # read: passport.main_wallet
            member.display_name = data.get("passport_profile", {}).get("display_name", "")  # read: passport.passport_profile.display_name; hazard: fallback-default
            calculated = data.get("last_calculated_at")  # read: passport.last_calculated_at
            member.last_calculated_at = parse_datetime(calculated) if calculated else None
            member.save()
            if member.score != old:
                updated += 1
        self.stdout.write(self.style.SUCCESS(f"{updated} members updated"))
