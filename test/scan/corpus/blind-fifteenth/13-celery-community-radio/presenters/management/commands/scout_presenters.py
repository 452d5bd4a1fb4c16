from django.core.management.base import BaseCommand

from presenters import talent
from presenters.models import Presenter


class Command(BaseCommand):
    help = "Adds people who match a keyword and are above the bar"

    def add_arguments(self, parser):
        parser.add_argument("keyword")
        parser.add_argument("--min", type=int, default=60)
        parser.add_argument("--tag", default="")

    def handle(self, *args, **opts):
        added = 0
        for person in talent.iter_people(opts["keyword"]):
            if person["score"] is None or person["score"] < opts["min"]:
                break
            if opts["tag"] and opts["tag"] not in person["passport_profile"]["tags"]:
                continue
            wallet = person["main_wallet"] or next(iter(person["verified_wallets"]), None)
            if not wallet:
                self.stderr.write(f"{person['passport_id']}: no wallet")
                continue
            _, created = Presenter.objects.get_or_create(wallet=wallet.lower())
            added += created
        self.stdout.write(self.style.SUCCESS(f"{added} presenters added, {Presenter.objects.count()} in all"))
