from arq import cron
from arq.connections import RedisSettings

from .gateway import Gateway
from .settings import Settings
from .store import Store
from .tasks import crawl, enrich, publish

settings = Settings()


async def startup(ctx: dict) -> None:
    ctx["gateway"] = Gateway(settings)
    ctx["store"] = Store(ctx["redis"])


async def shutdown(ctx: dict) -> None:
    await ctx["gateway"].aclose()


async def nightly(ctx: dict) -> None:
    for keyword in ("translator", "interpreter", "localization"):
        await ctx["redis"].enqueue_job("crawl", keyword)


class WorkerSettings:
    functions = [crawl, enrich, publish]
    cron_jobs = [cron(nightly, hour=3, minute=10)]
    on_startup = startup
    on_shutdown = shutdown
    redis_settings = RedisSettings.from_dsn(settings.redis_dsn)
    max_tries = 4
    job_timeout = 120
