from django.core.management.base import BaseCommand

from trust.models import TrustRecord
from trust.talent import TalentClient
from trust.tasks import apply_passport


class Command(BaseCommand):
    help = "Walk the whole passport list once and update the members we know by wallet"

    def add_arguments(self, parser):
        parser.add_argument("--keyword")
        parser.add_argument("--dry-run", action="store_true")

    def handle(self, *args, **options):
        known = {r.wallet.lower(): r for r in TrustRecord.objects.select_related("user")}
        hits = 0
        for passport in TalentClient().iter_passports(options["keyword"]):
            wallets = {w.lower() for w in passport["verified_wallets"]}
            if passport["main_wallet"]:
                wallets.add(passport["main_wallet"].lower())
            for wallet in wallets & known.keys():
                hits += 1
                record = known[wallet]
                name = passport["passport_profile"]["display_name"]
                self.stdout.write(f"{record.user} <- {name} ({record.score} -> {passport['score']})")
                if not options["dry_run"]:
                    apply_passport(record, passport)
        self.stdout.write(self.style.SUCCESS(f"{hits} members matched"))
