from django.conf import settings
from django.db import models


class SkillsPassport(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="passport")
    passport_id = models.CharField(max_length=40, unique=True)
    score = models.PositiveIntegerField(default=0)
    skills_score = models.PositiveIntegerField(default=0)
    display_name = models.CharField(max_length=120, blank=True)
    last_calculated_at = models.DateTimeField(null=True)

    def __str__(self):
        return f"{self.display_name} ({self.score})"


class Credential(models.Model):
    passport = models.ForeignKey(SkillsPassport, on_delete=models.CASCADE, related_name="credentials")
    name = models.CharField(max_length=200)
    category = models.CharField(max_length=60)
    score = models.PositiveIntegerField()
    max_score = models.PositiveIntegerField()
    earned_at = models.DateField(null=True)
