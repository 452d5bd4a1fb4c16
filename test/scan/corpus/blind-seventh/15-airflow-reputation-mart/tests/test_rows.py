from include.rows import audience_row, passport_row


def test_passport_row_keeps_the_order():
    row = passport_row(
        {"passport_id": 1, "score": 30, "passport_profile": {"display_name": "Ada", "tags": ["dev"]}}, "2024-10-01"
    )
    assert row[0:2] == ("2024-10-01", 1)
    assert row[-3:] == ("Ada", None, "dev")


def test_audience_of_nobody():
    assert audience_row({}) == (None, False, 0, 0, 0)
