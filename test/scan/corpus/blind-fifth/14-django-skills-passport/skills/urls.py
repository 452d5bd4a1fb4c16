from django.urls import path

from . import views

urlpatterns = [
    path("api/v1/passports", views.passport_list),
    path("api/v1/passports/<str:passport_id>", views.passport_detail),
]
