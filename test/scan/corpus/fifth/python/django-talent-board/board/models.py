from django.db import models


class Candidate(models.Model):
    display_name = models.CharField(max_length=120)
    main_wallet = models.CharField(max_length=42, unique=True)
    passport_id = models.IntegerField(null=True)
    score = models.IntegerField(null=True)
    category = models.CharField(max_length=20, default="dev")

    class Meta:
        ordering = ["-score"]

    def __str__(self):
        return f"{self.display_name} ({self.score or 0})"

    @property
    def stars(self):
        return min(5, (self.score or 0) // 20)
