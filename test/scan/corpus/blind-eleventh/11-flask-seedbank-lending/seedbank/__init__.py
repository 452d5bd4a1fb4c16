from flask import Flask

from .extensions import cache, gbif, talent
from .views import bp


def create_app(overrides: dict | None = None) -> Flask:
    app = Flask(__name__)
    app.config.from_object("seedbank.config.Config")
    if overrides:
        app.config.update(overrides)
    cache.init_app(app)
    talent.init_app(app)
    gbif.init_app(app)
    app.register_blueprint(bp)
    return app
