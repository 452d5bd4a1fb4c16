#!/usr/bin/env python3
"""repcli: look up reputation passports from the shell (stdlib only)."""
import argparse
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

BASE = os.environ.get("REPCLI_BASE", "https://reputation.example")


def open_json(req):
    req.add_header("X-API-KEY", os.environ.get("REPCLI_KEY", ""))
    with urllib.request.urlopen(req, timeout=15) as fh:
        return json.load(fh)


def cmd_show(args):
    req = urllib.request.Request(BASE + "/api/v1/passports/" + urllib.parse.quote(args.id))  # call: passport
    p = open_json(req)["passport"]
    print("passport", p["passport_id"])  # read: passport.passport_id
    print("name    ", p["passport_profile"]["display_name"])  # read: passport.passport_profile.display_name
    for key in ("score", "activity_score", "identity_score", "skills_score"):  # read: passport.score, passport.activity_score, passport.identity_score, passport.skills_score
        print(f"{key:16}", p[key])
    for s in p["passport_socials"]:  # read: passport.passport_socials
        print(f"  {s['source']:10} {s['profile_display_name']} ({int(s['follower_count']):,} followers)")  # read: passport.passport_socials[].source, passport.passport_socials[].profile_display_name, passport.passport_socials[].follower_count


def cmd_search(args):
    query = urllib.parse.urlencode({"keyword": args.name})
    req = urllib.request.Request(f"{BASE}/api/v1/passports?{query}")  # call: passport-list
    reply = open_json(req)
    for p in reply["passports"]:
        mark = "*" if p["calculating_score"] else " "  # read: passports[].calculating_score
        print(mark, p["score"], p["main_wallet"], sep="\t")  # read: passports[].score, passports[].main_wallet
    print(f"-- {reply['pagination']['total']} in all", file=sys.stderr)  # read: pagination.total


def main():
    parser = argparse.ArgumentParser(prog="repcli")
    sub = parser.add_subparsers(required=True)
    show = sub.add_parser("show")
    show.add_argument("id")
    show.set_defaults(run=cmd_show)
    search = sub.add_parser("search")
    search.add_argument("name")
    search.set_defaults(run=cmd_search)
    args = parser.parse_args()
    try:
        args.run(args)
    except urllib.error.HTTPError as err:
        sys.exit(f"repcli: {err.code} {err.reason}")


if __name__ == "__main__":
    main()
