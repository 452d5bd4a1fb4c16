from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand
from django.utils.dateparse import parse_datetime

from skills.models import Credential, SkillsPassport
from skills.provider import ProviderError, SkillsPassportProvider


class Command(BaseCommand):
    help = "Copies the skills passports of all employees"

    def handle(self, *args, **options):
        provider = SkillsPassportProvider()
        done = failed = 0
        for user in get_user_model().objects.filter(is_active=True).select_related("employee"):
            try:
                data = provider.passport_for(user.employee.number)
            except ProviderError as e:
                self.stderr.write(str(e))
                failed += 1
                continue
            if data is None:
                continue
            passport, _ = SkillsPassport.objects.update_or_create(
                user=user,
                defaults={
                    "passport_id": data["passport_id"],
                    "score": data.get("score", 0),
                    "skills_score": data["breakdown"]["skills_score"],
                    "display_name": data["profile"]["display_name"],
                    "last_calculated_at": parse_datetime(data["last_calculated_at"]),
                },
            )
            passport.credentials.all().delete()
            Credential.objects.bulk_create(
                Credential(
                    passport=passport,
                    name=c["name"],
                    category=c["category"],
                    score=c["score"],
                    max_score=c["max_score"],
                    earned_at=c["earned_at"],
                )
                for c in provider.credentials(data["passport_id"])
            )
            done += 1
        self.stdout.write(f"{done} passports, {failed} failures")
