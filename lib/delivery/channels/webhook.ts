// A webhook of the team: the alert as JSON by its published schema, or the form that chat services read.
import { createHmac } from "node:crypto";
import { textOf } from "../../records/alert.ts";
import { type CreateSend, postText, requireSecret } from "./channel.ts";
import { escapeSlack } from "./slack.ts";

/** Of the time and the body, so that a message that somebody kept cannot be sent again later. */
function sign(secret: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { "X-V1watch-Timestamp": timestamp, "X-V1watch-Signature": `sha256=${signature}` };
}

export const createWebhook: CreateSend<"webhook"> =
  ({ url, format, signingSecret }, context) =>
  async (alert) => {
    const text = escapeSlack(`*${alert.subject}*\n${textOf(alert)}`);
    const body = JSON.stringify(format === "alert" ? alert : { text, alert });
    const headers = signingSecret ? sign(await requireSecret(signingSecret, context), body) : {};
    return postText(await requireSecret(url, context), body, context, headers);
  };
