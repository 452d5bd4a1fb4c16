import os

from celery import Celery
from celery.schedules import crontab

app = Celery("worker", broker=os.environ["REDIS_URL"], include=["worker.tasks"])
app.conf.beat_schedule = {
    "refresh-scores": {"task": "worker.tasks.refresh_all", "schedule": crontab(minute=0, hour="*/6")},
}
