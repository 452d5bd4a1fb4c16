import os

from dotenv import load_dotenv
from flask import Flask

from .reputation import ReputationGateway


def create_app(config=None):
    load_dotenv()
    app = Flask(__name__)
    app.config.from_mapping(
        REPUTATION_URL=os.environ.get("REPUTATION_URL", "https://api.talentprotocol.com"),
        REPUTATION_KEY=os.environ.get("REPUTATION_KEY", ""),
        MIN_GUEST_SCORE=int(os.environ.get("MIN_GUEST_SCORE", "40")),
    )
    if config:
        app.config.update(config)

    app.extensions["reputation"] = ReputationGateway(
        app.config["REPUTATION_URL"], app.config["REPUTATION_KEY"]
    )

    from . import api, pages

    app.register_blueprint(pages.bp)
    app.register_blueprint(api.bp, url_prefix="/api")
    return app
