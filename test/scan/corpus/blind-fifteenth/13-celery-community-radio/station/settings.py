from pathlib import Path

import environ

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")

SECRET_KEY = env("SECRET_KEY", default="insecure")
DEBUG = env.bool("DEBUG", default=False)
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "presenters"]
DATABASES = {"default": env.db("DATABASE_URL", default="sqlite:///radio.db")}

CELERY_BROKER_URL = env("REDIS_URL", default="redis://localhost:6379/0")
CELERY_BEAT_SCHEDULE = {
    "standing": {"task": "presenters.tasks.refresh_all", "schedule": 6 * 3600},
}

TALENT = {
    "HOST": env("TALENT_HOST", default="api.talentprotocol.com"),
    "KEY": env("TALENT_KEY", default=""),
}
LISTENBRAINZ_ROOT = "https://api.listenbrainz.org"
