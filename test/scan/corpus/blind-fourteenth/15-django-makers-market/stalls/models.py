from django.db import models


class Vendor(models.Model):
    name = models.CharField(max_length=120)
    wallet = models.CharField(max_length=42, unique=True)
    passport_id = models.IntegerField(null=True, blank=True)
    score = models.IntegerField(default=0)
    verified = models.BooleanField(default=False)
    location = models.CharField(max_length=120, blank=True)
    stripe_account = models.CharField(max_length=64, blank=True)
    synced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-score"]

    def __str__(self):
        return f"{self.name} ({self.score})"


class Craft(models.Model):
    vendor = models.ForeignKey(Vendor, on_delete=models.CASCADE, related_name="crafts")
    slug = models.CharField(max_length=80)
    label = models.CharField(max_length=200)
    points = models.IntegerField(default=0)

    class Meta:
        unique_together = [("vendor", "slug")]
