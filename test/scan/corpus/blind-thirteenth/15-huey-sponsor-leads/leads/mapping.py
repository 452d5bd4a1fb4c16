"""What goes into which CRM property."""
from operator import itemgetter


def dig(record, path, default=None):
    for part in path.split("."):
        if not isinstance(record, dict) or record.get(part) is None:
            return default
        record = record[part]
    return record


def yes_no(value):
    return "Yes" if value else "No"


# property, path, default, converter
PROPERTIES = [
    ("talent_id", "passport_id", None, str),
    ("talent_score", "score", 0, int),
    ("talent_skills", "skills_score", 0, int),
    ("talent_human", "human_checkmark", False, yes_no),
    ("wallet", "main_wallet", "", str.lower),
    ("city", "passport_profile.location", "", str),
    ("about", "passport_profile.bio", "", lambda s: s[:500]),
]

SOCIAL_PROPERTIES = {"twitter": "twitterhandle", "github": "github_username", "linkedin": "linkedin_name"}

_social = itemgetter("source", "profile_name")


def to_properties(passport):
    out = {}
    for prop, path, default, convert in PROPERTIES:
        value = dig(passport, path, default)
        out[prop] = convert(value) if value is not None else ""
    for source, name in map(_social, dig(passport, "passport_socials", [])):
        if source in SOCIAL_PROPERTIES:
            out[SOCIAL_PROPERTIES[source]] = name
    return out


def strongest(credentials):
    best = max(credentials, key=itemgetter("score"), default=None)
    if best is None:
        return ""
    return "{name} ({value})".format(**best)
