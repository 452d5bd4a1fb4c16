from django.db import models


class Member(models.Model):
    wallet = models.CharField(max_length=80)
    main_wallet = models.CharField(max_length=80)
    score = models.IntegerField(default=0)
    display_name = models.CharField(max_length=80)
