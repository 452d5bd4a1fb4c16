import pandas as pd
import requests


def socials(ident: str) -> pd.DataFrame:
    res = requests.get("https://rep.example.org/api/v1/passports/" + ident)  # call: passport
    passport = res.json()["passport"]
    frame = pd.DataFrame(passport["passport_socials"])  # read: passport.passport_socials
    frame["followers"] = frame["follower_count"].astype(int)  # read: passport.passport_socials[].follower_count
    frame["owner"] = passport["passport_id"]  # read: passport.passport_id
    return frame[frame["source"] != "lens"]  # read: passport.passport_socials[].source


def reach(idents):
    everything = pd.concat([socials(i) for i in idents])
    return everything.groupby("owner")["followers"].sum()


def ads() -> pd.DataFrame:
    frame = pd.read_csv("ads.csv")
    frame["follower_count"] = frame["follower_count"].astype(int)
    return frame[frame["source"] != "tv"]


if __name__ == "__main__":
    print(reach(["1", "2", "3"]))
    print(ads())
