from django.db import models


class Member(models.Model):
    wallet = models.CharField(max_length=64, unique=True)
    passport_id = models.IntegerField(null=True)
    display_name = models.CharField(max_length=120, blank=True)
    score = models.FloatField(default=0)
    main_wallet = models.CharField(max_length=64, blank=True)
    last_calculated_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-score"]

    def level(self):
        if self.score > 80:
            return "gold"
        return "silver" if self.score > 40 else "bronze"

    def __str__(self):
        return f"{self.display_name} ({self.passport_id}): {self.score}"
