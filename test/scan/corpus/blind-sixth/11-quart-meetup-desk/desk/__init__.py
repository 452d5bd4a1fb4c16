from quart import Quart

from .config import Config
from .filters import register_filters
from .reputation import Reputation
from .views import bp


def create_app(config: Config | None = None) -> Quart:
    app = Quart(__name__)
    app.config.from_object(config or Config.from_env())
    register_filters(app)
    app.register_blueprint(bp)

    @app.before_serving
    async def start() -> None:
        app.reputation = Reputation(app.config["REPUTATION_URL"], app.config["REPUTATION_KEY"])

    @app.after_serving
    async def stop() -> None:
        await app.reputation.aclose()

    return app
