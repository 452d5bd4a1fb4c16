import logging

import gradio as gr
import httpx
import msgspec

from bandfinder import api
from bandfinder.match import INSTRUMENTS, rank

log = logging.getLogger("bandfinder")


def search(keyword, wanted, city, floor):
    try:
        people = api.find(keyword.strip())
    except (httpx.HTTPError, msgspec.ValidationError) as exc:
        log.warning("search failed: %s", exc)
        gr.Warning("The directory does not answer right now")
        return [], []
    matches = rank(people, wanted, city, floor)
    return [m.row() for m in matches], matches


def describe(matches, event: gr.SelectData):
    match = matches[event.index[0]]
    try:
        person = api.load(match.id)
    except httpx.HTTPStatusError as exc:
        raise gr.Error(f"Profile {match.id}: HTTP {exc.response.status_code}")
    lines = [f"## {person.name}", person.passport_profile.bio or "_no bio_"]
    for social in person.passport_socials:
        if social.url:
            lines.append(f"- [{social.source}]({social.url}), {int(social.followers or 0):,} followers")
    for track in api.previews(match.name):
        lines.append(f"- {track.track_name} by {track.artist_name}")
    return "\n".join(lines), person.picture


with gr.Blocks(title="Band finder") as demo:
    found = gr.State([])
    with gr.Row():
        keyword = gr.Textbox(label="Name")
        wanted = gr.CheckboxGroup(INSTRUMENTS, label="Looking for")
        city = gr.Textbox(label="City")
        floor = gr.Slider(0, 200, value=20, label="Minimum score")
    go = gr.Button("Search", variant="primary")
    table = gr.Dataframe(headers=["id", "name", "city", "instruments", "score", "fit"], interactive=False)
    with gr.Row():
        picture = gr.Image(height=160, show_label=False)
        details = gr.Markdown()
    go.click(search, [keyword, wanted, city, floor], [table, found])
    table.select(describe, [found], [details, picture])

if __name__ == "__main__":
    demo.queue().launch()
