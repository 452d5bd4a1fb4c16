from django.core.management.base import BaseCommand

from keepers.clients import TalentClient, TalentUnavailable
from keepers.models import Keeper
from keepers.services import owns_wallet, refresh


class Command(BaseCommand):
    help = "Refresh score and location of every keeper"

    def handle(self, *args, **options):
        client = TalentClient()
        for keeper in Keeper.objects.iterator():
            try:
                if not owns_wallet(client.keeper(keeper.wallet), keeper.wallet):
                    self.stderr.write(f"{keeper.wallet} is no longer verified")
                refresh(keeper, client)
            except TalentUnavailable as exc:
                self.stderr.write(f"{keeper}: {exc}")
                continue
            self.stdout.write(f"{keeper} -> {keeper.score}")
