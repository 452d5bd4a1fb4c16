from dotenv import load_dotenv
from flask import Flask

from . import reputation
from .extensions import cache
from .leaders import bp as leaders_bp


def create_app(overrides=None):
    load_dotenv()
    app = Flask(__name__)
    app.config.from_object("forays.settings")
    app.config.update(overrides or {})

    cache.init_app(app)
    reputation.init_app(app)
    app.register_blueprint(leaders_bp)
    app.add_template_filter(lambda s: f"{s[:6]}…{s[-4:]}" if s else "", "shorten")

    @app.errorhandler(reputation.ReputationDown)
    def _down(exc):
        app.logger.error("reputation service: %s", exc)
        return {"error": "reputation service unavailable"}, 503

    return app
