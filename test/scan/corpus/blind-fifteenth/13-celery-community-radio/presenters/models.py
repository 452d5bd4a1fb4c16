from django.db import models


class Presenter(models.Model):
    wallet = models.CharField(max_length=42, unique=True)
    listenbrainz_user = models.CharField(max_length=60, blank=True)
    on_air_name = models.CharField(max_length=120, blank=True)
    hometown = models.CharField(max_length=120, blank=True)
    passport_id = models.PositiveIntegerField(null=True)
    score = models.FloatField(default=0)
    is_human = models.BooleanField(default=False)
    audience = models.PositiveIntegerField(default=0)
    refreshed_at = models.DateTimeField(null=True)
    source_stamp = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-score"]

    def __str__(self):
        return f"{self.on_air_name or self.wallet} ({self.score})"


class Merit(models.Model):
    presenter = models.ForeignKey(Presenter, on_delete=models.CASCADE, related_name="merits")
    external_id = models.CharField(max_length=80)
    title = models.CharField(max_length=200)
    kind = models.CharField(max_length=60)
    points = models.FloatField()

    class Meta:
        unique_together = [("presenter", "external_id")]
