from django.db import models


class Keeper(models.Model):
    user = models.OneToOneField("auth.User", on_delete=models.CASCADE, related_name="keeper")
    wallet = models.CharField(max_length=64, unique=True)
    passport_id = models.PositiveIntegerField(null=True, blank=True)
    score = models.PositiveIntegerField(default=0)
    location = models.CharField(max_length=120, blank=True)
    verified = models.BooleanField(default=False)
    synced_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-score"]

    def __str__(self):
        return f"{self.user.get_full_name()} ({self.score})"


class HiveLoan(models.Model):
    keeper = models.ForeignKey(Keeper, on_delete=models.PROTECT, related_name="loans")
    hive_no = models.CharField(max_length=12)
    lent_at = models.DateField(auto_now_add=True)
    due_at = models.DateField()
    returned = models.BooleanField(default=False)
