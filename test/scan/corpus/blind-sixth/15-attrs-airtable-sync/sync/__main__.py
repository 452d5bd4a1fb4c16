import sys
import time

import schedule

from . import settings
from .job import run

if "--once" in sys.argv:
    run()
    raise SystemExit

schedule.every(settings.EVERY_HOURS).hours.do(run)
schedule.run_all()
while True:
    schedule.run_pending()
    time.sleep(60)
