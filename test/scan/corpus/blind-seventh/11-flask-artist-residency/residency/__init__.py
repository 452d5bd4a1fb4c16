import os

from flask import Flask

from .extensions import cache, talent


def create_app(overrides=None):
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=os.getenv("SECRET_KEY", "dev"),
        TALENT_API_URL=os.getenv("TALENT_API_URL", "https://api.talentprotocol.com/api/v1"),
        TALENT_API_KEY=os.getenv("TALENT_API_KEY"),
        MIN_SCORE=int(os.getenv("MIN_SCORE", "40")),
        CACHE_TYPE="SimpleCache",
        CACHE_DEFAULT_TIMEOUT=300,
    )
    app.config.update(overrides or {})

    cache.init_app(app)
    talent.init_app(app)

    from .blueprints.applicants import bp as applicants_bp
    from .blueprints.jury import bp as jury_bp

    app.register_blueprint(applicants_bp)
    app.register_blueprint(jury_bp, url_prefix="/jury")

    @app.template_filter("short")
    def short(wallet):
        return f"{wallet[:6]}…{wallet[-4:]}" if wallet else "no wallet"

    return app
