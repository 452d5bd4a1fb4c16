from datetime import datetime, timezone

from sqlalchemy import JSON, ForeignKey, UniqueConstraint, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship, sessionmaker

from .records import LinkRow, MentorRow, ProofRow


class Base(DeclarativeBase):
    pass


class Mentor(Base):
    __tablename__ = "mentors"

    id: Mapped[int] = mapped_column(primary_key=True)
    passport_id: Mapped[int] = mapped_column(unique=True, index=True)
    display_name: Mapped[str]
    location: Mapped[str | None]
    score: Mapped[float]
    skills_score: Mapped[float]
    human: Mapped[bool]
    topics: Mapped[list] = mapped_column(JSON, default=list)
    last_calculated_at: Mapped[datetime | None]
    seen_at: Mapped[datetime]
    proofs: Mapped[list["Proof"]] = relationship(back_populates="mentor", cascade="all, delete-orphan")
    links: Mapped[list] = mapped_column(JSON, default=list)


class Proof(Base):
    __tablename__ = "proofs"
    __table_args__ = (UniqueConstraint("mentor_id", "external_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    mentor_id: Mapped[int] = mapped_column(ForeignKey("mentors.id"))
    external_id: Mapped[str]
    name: Mapped[str]
    type: Mapped[str]
    score: Mapped[float]
    mentor: Mapped[Mentor] = relationship(back_populates="proofs")


def open_store(url):
    engine = create_engine(url)
    Base.metadata.create_all(engine)
    return sessionmaker(engine, expire_on_commit=False)


def upsert(session, row: MentorRow, proofs: list[ProofRow], links: list[LinkRow]) -> Mentor:
    mentor = session.scalar(select(Mentor).where(Mentor.passport_id == row.external_id))
    if mentor is None:
        mentor = Mentor(passport_id=row.external_id)
        session.add(mentor)
    mentor.display_name = row.name
    mentor.location = row.town
    mentor.score = row.points
    mentor.skills_score = row.skill_points
    mentor.human = row.human
    mentor.topics = list(row.topics)
    mentor.last_calculated_at = row.computed_at
    mentor.seen_at = datetime.now(timezone.utc)
    mentor.links = [{"network": link.network, "url": link.url} for link in links if link.url]
    mentor.proofs = [Proof(external_id=p.external_id, name=p.label, type=p.kind, score=p.points) for p in proofs]
    return mentor


def best(session, limit=20):
    return session.scalars(select(Mentor).where(Mentor.human).order_by(Mentor.skills_score.desc()).limit(limit)).all()
