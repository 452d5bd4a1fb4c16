import logging
import os
import sys
from pathlib import Path

import yaml
from github import Auth, Github
from jinja2 import Environment, FileSystemLoader

sys.path.insert(0, str(Path(__file__).parent))
import talent  # noqa: E402

log = logging.getLogger("mkdocs.hooks.thanks")

_env = Environment(loader=FileSystemLoader("overrides/partials"), trim_blocks=True, lstrip_blocks=True)
_env.filters["handle"] = talent.handle


def _contributors(repo_url, minimum):
    gh = Github(auth=Auth.Token(os.environ["GITHUB_TOKEN"]))
    repo = gh.get_repo(repo_url.removeprefix("https://github.com/"))
    for c in repo.get_contributors():
        if c.type == "Bot" or c.contributions < minimum:
            continue
        yield {"login": c.login, "name": c.name, "location": c.location, "avatar": c.avatar_url, "n": c.contributions}


def _entry(contributor, ident):
    person = talent.passport(ident) if ident else None
    entry = {"gh": contributor, "person": person, "badges": []}
    if person and not person["calculating_score"]:
        entry["badges"] = talent.badges(person["passport_id"])
    return entry


def _sort_key(entry):
    person = entry["person"]
    return (-entry["gh"]["n"], -(person["score"] if person else 0))


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri != "thanks.md":
        return markdown
    if "GITHUB_TOKEN" not in os.environ:
        log.info("no GITHUB_TOKEN, leaving the thanks page alone")
        return markdown

    opts = config["extra"]["thanks"]
    people = yaml.safe_load(Path(opts["people_file"]).read_text())
    entries = [
        _entry(c, people.get(c["login"]))
        for c in _contributors(config["repo_url"], opts["min_contributions"])
    ]
    entries.sort(key=_sort_key)
    block = _env.get_template("people.md.j2").render(entries=entries)
    return markdown.replace("<!-- people -->", block)
