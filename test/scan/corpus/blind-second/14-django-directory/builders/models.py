from django.db import models


class Member(models.Model):
    wallet = models.CharField(max_length=64, unique=True)
    display_name = models.CharField(max_length=120, blank=True)
    score = models.PositiveIntegerField(default=0)
    human = models.BooleanField(default=False)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-score"]

    def __str__(self):
        return f"{self.display_name} ({self.score})"
