from django.urls import path

from . import views

urlpatterns = [
    path("builders/", views.directory, name="directory"),
    path("builders/<str:wallet>/", views.ProfileView.as_view(), name="profile"),
    path("join/", views.JoinView.as_view(), name="join"),
]
