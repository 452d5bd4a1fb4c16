LEVELS = [(0, "Newcomer"), (40, "Apprentice"), (80, "Builder"), (170, "Master")]


def level_for(score):
    name = LEVELS[0][1]
    for threshold, label in LEVELS:
        if score >= threshold:
            name = label
    return name
