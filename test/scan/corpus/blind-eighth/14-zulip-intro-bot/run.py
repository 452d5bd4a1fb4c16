import logging
import os
import re

import zulip

from introbot.commands import answer

logging.basicConfig(level=os.environ.get("LOG_LEVEL", "INFO"))
client = zulip.Client(config_file=os.environ.get("ZULIP_CONFIG", "~/.zuliprc"))
ME = client.get_profile()
MENTION = re.compile(r"^@\*\*[^*]+\*\*\s*")


def on_message(msg):
    if msg["sender_id"] == ME["user_id"]:
        return
    text = MENTION.sub("", msg["content"]).strip()
    if msg["type"] == "private":
        client.send_message({"type": "private", "to": [msg["sender_id"]], "content": answer(text)})
    elif MENTION.match(msg["content"]):
        client.send_message(
            {"type": "stream", "to": msg["stream_id"], "topic": msg["subject"], "content": answer(text)}
        )


if __name__ == "__main__":
    client.call_on_each_message(on_message)
