from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    pass


class Member(Base):
    __tablename__ = "members"

    id: Mapped[int] = mapped_column(primary_key=True)
    main_wallet: Mapped[str] = mapped_column(String(42), unique=True)
    display_name: Mapped[str | None]
    score: Mapped[int] = mapped_column(default=0)
    human: Mapped[bool] = mapped_column(default=False)
    refreshed_at: Mapped[datetime | None]
    badges: Mapped[list["Badge"]] = relationship(cascade="all, delete-orphan")


class Badge(Base):
    __tablename__ = "badges"

    id: Mapped[int] = mapped_column(primary_key=True)
    member_id: Mapped[int] = mapped_column(ForeignKey("members.id"))
    type: Mapped[str]
    value: Mapped[str | None]
