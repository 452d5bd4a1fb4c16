import os


class Config:
    SECRET_KEY = os.environ.get("SECRET_KEY", "dev")
    SQLALCHEMY_DATABASE_URI = os.environ.get("DATABASE_URL", "sqlite:///tutors.db")
    REPUTATION_URL = os.environ.get("REPUTATION_URL", "https://api.talentprotocol.com").rstrip("/")
    REPUTATION_KEY = os.environ.get("REPUTATION_KEY", "")
    CALCOM_URL = "https://api.cal.com/v2"
    CALCOM_KEY = os.environ.get("CALCOM_KEY", "")
    MIN_TUTOR_SCORE = int(os.environ.get("MIN_TUTOR_SCORE", "40"))
