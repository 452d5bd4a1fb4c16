from flask import Flask

from .cache import cache
from .routes import bp


def create_app():
    app = Flask(__name__)
    app.config.from_prefixed_env()
    app.config.setdefault("CACHE_TYPE", "SimpleCache")
    app.config.setdefault("CACHE_DEFAULT_TIMEOUT", 900)
    cache.init_app(app)
    app.register_blueprint(bp)
    return app
