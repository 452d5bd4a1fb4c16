from datetime import date, timedelta

from office.app import influenza_ok, may_start
from office.registry import HorsePassport, Licence, Vaccination

TODAY = date.today()


def horse(days: int) -> HorsePassport:
    shot = Vaccination("influenza", TODAY - timedelta(days=days))
    return HorsePassport(id="P-1", ueln="276099", name="Donna", born=date(2016, 4, 1), vaccinations=[shot])


def test_influenza():
    assert influenza_ok(horse(100))
    assert not influenza_ok(horse(200))


def test_licence():
    licence = Licence("L1", "national", "M", TODAY, TODAY + timedelta(days=1))
    assert may_start([licence], "M")
    assert not may_start([licence], "S")
