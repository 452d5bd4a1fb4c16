from client import PassportClient

client = PassportClient("https://api.example.com")


def report(ids):
    total = 0
    for passport_id in ids:
        holder = client.passport(passport_id)
        total += holder["skills_score"] + holder["identity_score"]  # read: passport.skills_score, passport.identity_score
        for credential in client.credentials(passport_id):
            if credential["score"] < credential["max_score"]:  # read: passport_credentials[].score, passport_credentials[].max_score
                print(credential["name"])  # read: passport_credentials[].name
    return total
