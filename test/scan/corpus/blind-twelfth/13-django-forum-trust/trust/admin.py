from django.contrib import admin

from .models import EarnedBadge, TrustRecord
from .tasks import refresh_record


class BadgeInline(admin.TabularInline):
    model = EarnedBadge
    extra = 0


@admin.action(description="Refresh from Talent")
def refresh(modeladmin, request, queryset):
    for record in queryset:
        refresh_record.delay(record.pk)


@admin.register(TrustRecord)
class TrustRecordAdmin(admin.ModelAdmin):
    list_display = ["user", "level", "score", "human", "passport_id", "calculated_at"]
    list_filter = ["level", "human"]
    actions = [refresh]
    inlines = [BadgeInline]
