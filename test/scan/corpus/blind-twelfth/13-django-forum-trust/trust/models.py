from django.conf import settings
from django.db import models


class TrustRecord(models.Model):
    class Level(models.IntegerChoices):
        NEW = 0
        BASIC = 1
        MEMBER = 2
        LEADER = 3

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="trust")
    wallet = models.CharField(max_length=64, unique=True)
    passport_id = models.PositiveIntegerField(null=True, blank=True)
    score = models.FloatField(default=0)
    human = models.BooleanField(default=False)
    github = models.CharField(max_length=80, blank=True)
    level = models.IntegerField(choices=Level.choices, default=Level.NEW)
    calculated_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self):
        return f"{self.user} ({self.get_level_display()}, {self.score:.0f})"


class EarnedBadge(models.Model):
    record = models.ForeignKey(TrustRecord, on_delete=models.CASCADE, related_name="badges")
    slug = models.CharField(max_length=80)
    label = models.CharField(max_length=200)
    points = models.FloatField(default=0)

    class Meta:
        unique_together = [("record", "slug")]
