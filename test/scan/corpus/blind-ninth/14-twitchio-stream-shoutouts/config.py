from environs import Env

env = Env()
env.read_env()

TWITCH_TOKEN = env("TWITCH_TOKEN")
TWITCH_CLIENT_ID = env("TWITCH_CLIENT_ID")
CHANNEL = env("TWITCH_CHANNEL")
VIEWERS_FILE = env.path("VIEWERS_FILE", "viewers.json")
TALENT_HOST = env("TALENT_HOST", "api.talentprotocol.com")
TALENT_KEY = env("TALENT_KEY", "")
