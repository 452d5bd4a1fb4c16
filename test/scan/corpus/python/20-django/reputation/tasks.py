from celery import shared_task
from .client import get_passport, iter_passports
from .models import Member


@shared_task(bind=True, max_retries=3)
def refresh(self, member_id):
    member = Member.objects.get(pk=member_id)
    passport = get_passport(member.wallet)
    if not passport:
        return
    member.score = passport["score"]  # read: passport.score
    member.display_name = passport["passport_profile"]["display_name"]  # read: passport.passport_profile.display_name
    member.save()


@shared_task
def sync():
    for item in iter_passports(""):
        Member.objects.update_or_create(
            wallet=item["main_wallet"],  # read: passports[].main_wallet
            defaults={
                "score": item["score"],  # read: passports[].score
                "human": item["human_checkmark"],  # read: passports[].human_checkmark
            },
        )
    for member in Member.objects.all():
        print(member.score, member.display_name, member.main_wallet)
