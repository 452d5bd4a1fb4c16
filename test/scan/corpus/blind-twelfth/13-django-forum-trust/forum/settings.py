from pathlib import Path

import environ

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_KEY = env("SECRET_KEY", default="insecure")
DEBUG = env.bool("DEBUG", default=False)
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "trust",
]
DATABASES = {"default": env.db("DATABASE_URL", default="sqlite:///forum.sqlite3")}
ROOT_URLCONF = "forum.urls"

CELERY_BROKER_URL = env("REDIS_URL", default="redis://localhost:6379/0")
CELERY_BEAT_SCHEDULE = {
    "refresh-stale": {"task": "trust.tasks.refresh_stale", "schedule": 3600},
}

TALENT = {
    "BASE_URL": env("TALENT_BASE_URL", default="https://api.talentprotocol.com/api/v1/"),
    "API_KEY": env("TALENT_API_KEY", default=""),
}
AKISMET_KEY = env("AKISMET_KEY", default="")
