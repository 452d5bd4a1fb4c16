from sqlalchemy import ForeignKey, String, create_engine, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

engine = create_engine("sqlite:///show.db")


class Base(DeclarativeBase):
    pass


class Start(Base):
    __tablename__ = "starts"
    id: Mapped[int] = mapped_column(primary_key=True)
    passport_id: Mapped[str] = mapped_column(String(20), index=True)
    rider_id: Mapped[str]
    display_name: Mapped[str]
    test: Mapped[str]


class Mark(Base):
    __tablename__ = "marks"
    id: Mapped[int] = mapped_column(primary_key=True)
    start_id: Mapped[int] = mapped_column(ForeignKey("starts.id"))
    judge: Mapped[str]
    score: Mapped[float]
    max_score: Mapped[float]


def ranking(test: str) -> list[dict]:
    percent = func.sum(Mark.score) * 100 / func.sum(Mark.max_score)
    query = (
        select(Start.display_name, Start.passport_id, percent.label("score"))
        .join(Mark, Mark.start_id == Start.id)
        .where(Start.test == test)
        .group_by(Start.id)
        .order_by(percent.desc())
    )
    with Session(engine) as s:
        return [dict(row._mapping) for row in s.execute(query)]
