from container import container


def detail(ident):
    passport = container.passports.by_id(ident)
    company = container.companies.by_id(ident)
    return {
        "score": passport["score"],  # read: passport.score
        "company": company["score"],
        "bio": passport.get("passport_profile", {}).get("bio", ""),  # read: passport.passport_profile.bio; hazard: fallback-default
    }


def names(word):
    out = []
    for p in container.passports.find(word):
        profile = p["passport_profile"]  # read: passports[].passport_profile
        if not profile["display_name"]:  # read: passports[].passport_profile.display_name
            continue
        out.append(profile["display_name"])  # read: passports[].passport_profile.display_name
    return sorted(out)
