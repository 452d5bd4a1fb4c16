from django.conf import settings
from django.db import models


class Member(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    wallet = models.CharField(max_length=42, unique=True)
    passport_id = models.IntegerField(null=True)
    display_name = models.CharField(max_length=200, blank=True)
    score = models.IntegerField(default=0)
    is_human = models.BooleanField(default=False)
    synced_at = models.DateTimeField(null=True)

    @property
    def tier(self):
        if self.score >= 80:
            return "gold"
        return "silver" if self.score >= 40 else "bronze"

    def apply(self, passport):
        self.passport_id = passport["passport_id"]
        self.score = passport["score"]
        self.is_human = passport.get("human_checkmark", False)
        profile = passport.get("passport_profile")
        if profile:
            self.display_name = profile["display_name"] or ""
