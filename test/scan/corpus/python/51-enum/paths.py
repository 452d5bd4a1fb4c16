from enum import Enum
from dataclasses import dataclass, field


class Path(str, Enum):
    LIST = "/api/v1/passports"
    ONE = "/api/v1/passports/{id}"
    CREDS = "/api/v1/passport_credentials"
    NEWS = "/api/v1/news"


ENDPOINTS = {"passport": Path.ONE, "list": Path.LIST}


@dataclass
class Settings:
    base: str = "https://rep.example.org"
    headers: dict = field(default_factory=dict)
