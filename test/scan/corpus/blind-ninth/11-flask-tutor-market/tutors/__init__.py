from datetime import datetime, timezone

from flask import Flask

from config import Config

from .reputation import Reputation

reputation = Reputation()


def create_app(config: type = Config) -> Flask:
    app = Flask(__name__)
    app.config.from_object(config)
    reputation.init_app(app)

    from .views import bp

    app.register_blueprint(bp)

    @app.template_filter("ago")
    def ago(value: str | None) -> str:
        if not value:
            return "never"
        then = datetime.fromisoformat(value.replace("Z", "+00:00"))
        days = (datetime.now(timezone.utc) - then).days
        return "today" if days == 0 else f"{days} days ago"

    return app
