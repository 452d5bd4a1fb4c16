from flask import Flask, render_template

from config import Config
from crew.extensions import cache
from crew.talent import TalentError
from crew.views import bp


def create_app(config=Config):
    app = Flask(__name__)
    app.config.from_object(config)
    cache.init_app(app)
    app.register_blueprint(bp)

    @app.errorhandler(TalentError)
    def upstream_down(err):
        app.logger.error("talent: %s", err)
        return render_template("error.html", message="Profiles are unavailable right now."), 502

    return app


if __name__ == "__main__":
    create_app().run(debug=True)
