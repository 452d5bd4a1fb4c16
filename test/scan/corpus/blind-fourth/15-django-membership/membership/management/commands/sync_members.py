from django.core.management.base import BaseCommand
from django.utils import timezone

from membership.models import Member
from membership.talent import TalentUnavailable, get_passport


class Command(BaseCommand):
    help = "Refresh score and name of all members"

    def handle(self, *args, **options):
        failed = 0
        for member in Member.objects.iterator():
            try:
                passport = get_passport(member.wallet)
            except TalentUnavailable as exc:
                failed += 1
                self.stderr.write(f"{member.wallet}: {exc}")
                continue
            if passport is None or passport["calculating_score"]:
                continue
            member.apply(passport)
            member.synced_at = timezone.now()
            member.save()
            self.stdout.write(f"{member.display_name}: {member.score}")
        if failed:
            self.stderr.write(f"{failed} members not refreshed")
