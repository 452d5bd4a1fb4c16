from decouple import config

TALENT = {
    "HOST": config("TALENT_HOST", default="https://api.talentprotocol.com"),
    "KEY": config("TALENT_KEY", default=""),
    "TIMEOUT": 12,
}
STRIPE_SECRET = config("STRIPE_SECRET", default="")
