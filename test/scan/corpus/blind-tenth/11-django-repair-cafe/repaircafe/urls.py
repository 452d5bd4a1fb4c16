from django.urls import path

from fixers import views

urlpatterns = [
    path("fixers/<slug:slug>/", views.fixer_detail, name="fixer-detail"),
    path("recruit/", views.recruit, name="recruit"),
]
