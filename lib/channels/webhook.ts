// A webhook of the team: the alert as JSON by its published schema, or the form that chat services read.
import { createHmac } from "node:crypto";
import { secretSource } from "../config/secret-source.ts";
import { choice } from "../config/values.ts";
import { textOf } from "../records/alert.ts";
import { defineHttpChannel } from "./http-channel.ts";
import { escapeSlack } from "./slack.ts";

/** Of the time and the body, so that a message that somebody kept cannot be sent again later. */
function sign(secret: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { "X-V1watch-Timestamp": timestamp, "X-V1watch-Signature": `sha256=${signature}` };
}

export const webhook = defineHttpChannel({
  type: "webhook",
  description: "Posts the alert as JSON to a web address. A 2xx status means accepted.",
  secrets: {
    url: secretSource("the web address", "V1WATCH_HOOK"),
    signingSecret: secretSource("the secret of the signatures", "V1WATCH_HOOK_SECRET")
      .optional()
      .describe(
        "The source of the secret that signs every message (HMAC-SHA256 of its time and body). docs/use/alerts.md has the code that verifies it.",
      ),
  },
  settings: {
    format: choice(["alert", "text"])
      .default("alert")
      .describe(
        'alert: the alert by schemas/alert.schema.json. text: { "text": …, "alert": … } for chat services that read text.',
      ),
  },
  requests(alert, { url, format, signingSecret }) {
    const text = escapeSlack(`*${alert.subject}*\n${textOf(alert)}`);
    return [
      {
        url,
        body: format === "alert" ? alert : { text, alert },
        headers: signingSecret === undefined ? undefined : (body) => sign(signingSecret, body),
      },
    ];
  },
});
