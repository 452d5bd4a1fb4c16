from pydantic import BaseModel


class Credential(BaseModel):
    id: str
    name: str
    category: str
    score: float
    max_score: float


class CredentialList(BaseModel):
    passport_credentials: list[Credential]


class PassportOut(BaseModel):
    id: int
    score: int
