from levels import level_for


def test_levels():
    assert level_for(0) == "Newcomer"
    assert level_for(80) == "Builder"
    assert level_for(1000) == "Master"
