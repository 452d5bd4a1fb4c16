import os

HOST = os.getenv("REPUTATION_HOST", "https://api.example.com")
PREFIX = "/api/v1"
PASSPORTS_PATH = PREFIX + "/passports"
CREDENTIALS_PATH = PREFIX + "/passport_credentials"
