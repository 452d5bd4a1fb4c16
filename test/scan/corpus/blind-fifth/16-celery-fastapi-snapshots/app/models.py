from datetime import datetime

from sqlalchemy import JSON, ForeignKey, create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship, sessionmaker

engine = create_engine("sqlite:///snapshots.db")
Session = sessionmaker(engine)


class Base(DeclarativeBase):
    pass


class Builder(Base):
    __tablename__ = "builders"

    passport_id: Mapped[int] = mapped_column(primary_key=True)
    display_name: Mapped[str | None]
    main_wallet: Mapped[str | None]
    tags: Mapped[list] = mapped_column(JSON, default=list)
    snapshots: Mapped[list["Snapshot"]] = relationship(order_by="Snapshot.taken_at")


class Snapshot(Base):
    __tablename__ = "snapshots"

    id: Mapped[int] = mapped_column(primary_key=True)
    passport_id: Mapped[int] = mapped_column(ForeignKey("builders.passport_id"))
    score: Mapped[int]
    activity_score: Mapped[float]
    skill_points: Mapped[float | None]
    taken_at: Mapped[datetime] = mapped_column(default=datetime.utcnow)
