// A webhook of the team: the alert as JSON by its published schema, or the form that chat services read.
import { textOf } from "../../records/alert.ts";
import { type CreateSend, postJson, requireSecret } from "./channel.ts";
import { escapeSlack } from "./slack.ts";

export const createWebhook: CreateSend<"webhook"> =
  ({ url, format }, context) =>
  async (alert) => {
    const text = escapeSlack(`*${alert.subject}*\n${textOf(alert)}`);
    await postJson(await requireSecret(url, context), format === "alert" ? alert : { text, alert }, context);
  };
