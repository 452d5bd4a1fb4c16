from django.db import models


class Fixer(models.Model):
    slug = models.SlugField(unique=True)
    nickname = models.CharField(max_length=80)
    wallet = models.CharField(max_length=42, blank=True)
    specialty = models.CharField(max_length=120, blank=True)
    score = models.PositiveIntegerField(default=0)
    town = models.CharField(max_length=120, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-score", "nickname"]

    def __str__(self):
        return f"{self.nickname} ({self.score})"


class Repair(models.Model):
    fixer = models.ForeignKey(Fixer, related_name="repairs", on_delete=models.CASCADE)
    item = models.CharField(max_length=120)
    category = models.CharField(max_length=40)
    done_at = models.DateField()
