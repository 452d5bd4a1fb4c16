from dataclasses import dataclass, field


@dataclass
class Credential:
    name: str
    category: str
    score: float
    max_score: float | None
    value: str | None


@dataclass
class Passport:
    """A profile as shown by this tool; we still call it a passport in the output."""

    id: str
    display_name: str
    bio: str
    score: int
    human_checkmark: bool
    main_wallet: str | None = None
    credentials: list[Credential] = field(default_factory=list)

    @property
    def earned(self) -> list[Credential]:
        return [c for c in self.credentials if c.score > 0]
