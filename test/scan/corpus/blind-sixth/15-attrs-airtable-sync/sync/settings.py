from environs import Env

env = Env()
env.read_env()

PASSPORT_API = env.str("PASSPORT_API", "https://api.talentprotocol.com/api/v1")
PASSPORT_API_KEY = env.str("PASSPORT_API_KEY")
AIRTABLE_TOKEN = env.str("AIRTABLE_TOKEN")
AIRTABLE_BASE = env.str("AIRTABLE_BASE")
AIRTABLE_TABLE = env.str("AIRTABLE_TABLE", "Mentors")
EVERY_HOURS = env.int("EVERY_HOURS", 6)
STALE_DAYS = env.int("STALE_DAYS", 45)
