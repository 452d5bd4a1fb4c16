from client import Client


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0


def report(key, keyword):
    c = Client(key)
    people = c.people(keyword)
    print("activity", mean(p["activity_score"] for p in people))  # read: passports[].activity_score
    print("skills", mean(p.get("skills_score") or 0 for p in people))  # read: passports[].skills_score; hazard: fallback-default
    for p in people:
        full = c.person(p["passport_id"])  # read: passports[].passport_id
        for social in full.get("passport_socials", []):  # read: passport.passport_socials; hazard: fallback-default
            print(social["source"], int(social["follower_count"] or 0))  # read: passport.passport_socials[].source, passport.passport_socials[].follower_count; hazard: fallback-default


def exam_report(exam):
    # exam results come from a file and share some names
    for row in exam["rows"]:
        print(row["skills_score"], row["activity_score"], row.get("score", 0))


def headline(key, pid):
    profile = Client(key).person(pid).get("passport_profile", {})  # read: passport.passport_profile; hazard: fallback-default
    return profile.get("display_name", "?") + " / " + ", ".join(profile.get("tags", []))  # read: passport.passport_profile.display_name, passport.passport_profile.tags[]; hazard: fallback-default
