MART = """
create table if not exists mart_passports (
    snapshot date, passport_id bigint, main_wallet text, score numeric, activity_score numeric,
    identity_score numeric, skills_score numeric, human_checkmark boolean, last_calculated_at timestamptz,
    display_name text, location text, tags text, primary key (snapshot, passport_id)
);
create table if not exists mart_credentials (
    snapshot date, passport_id bigint, id text, type text, category text, name text, score numeric,
    max_score numeric, value text, earned_at text, last_calculated_at timestamptz
);
create table if not exists mart_audience (
    passport_id bigint primary key, merged boolean, farcaster bigint, github bigint, total bigint
);
"""

MOVERS = """
select now.passport_id, now.display_name, now.score - before.score as gain
from mart_passports now
join mart_passports before using (passport_id)
where now.snapshot = %(day)s and before.snapshot = %(day)s::date - 7
order by gain desc
limit 20
"""
