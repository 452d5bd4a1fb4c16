from sqlalchemy import Boolean, Column, DateTime, Float, Integer, String
from sqlalchemy.orm import declarative_base

Base = declarative_base()


class Passport(Base):
    __tablename__ = "passports"

    passport_id = Column(Integer, primary_key=True)
    score = Column(Float)
    activity_score = Column(Float)
    human_checkmark = Column(Boolean)
    main_wallet = Column(String, unique=True)
    last_calculated_at = Column(DateTime)


class PassportCredential(Base):
    __tablename__ = "passport_credentials"

    id = Column(String, primary_key=True)
    passport_id = Column(Integer)
    category = Column(String)
    value = Column(String)
    score = Column(Float)
