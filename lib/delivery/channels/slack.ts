// Slack through an incoming webhook: a headline, the facts, one block for each part of the text, and links.
import type { Alert } from "../../records/alert.ts";
import { type CreateSend, postJson, requireSecret } from "./channel.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
export const escapeSlack = (text: string) =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? character);

// Slack's limits of a section and, with some room, of a message. A subject is shorter than its limit of a header.
const maxSection = 3_000;
const maxBlocks = 40;

const icons: Record<Alert["severity"], string> = {
  page: ":red_circle:",
  warning: ":large_orange_circle:",
  info: ":large_blue_circle:",
};

const section = (text: string) => ({
  type: "section",
  text: { type: "mrkdwn", text: text.length > maxSection ? `${text.slice(0, maxSection - 1)}…` : text },
});

/** The parts of an alert's text: sentences, then rows such as "Impact      …" whose further lines are indented. */
function splitText(text: string): { label: string; body: string }[] {
  const parts: { label: string; body: string }[] = [{ label: "", body: "" }];
  for (const line of text.trimEnd().split("\n")) {
    const [, label, body] = /^([A-Z][a-z]+(?: [a-z]+)?) {2,}(.*)$/.exec(line) ?? [];
    if (label !== undefined) parts.push({ label, body: body ?? "" });
    else parts.at(-1)!.body += `\n${line.replace(/^ {12}/, "")}`;
  }
  return parts.map(({ label, body }) => ({ label, body: body.trim() })).filter(({ body }) => body !== "");
}

const linkLabels = ["Runbook", "Page"];

function renderPart({ label, body }: { label: string; body: string }) {
  const text = escapeSlack(body);
  if (label === "") return section(text);
  const isCommand = label === "Reproduce";
  const shown = isCommand ? `\`\`\`${text.slice(0, maxSection - 100)}\`\`\`` : text;
  return section(`*${label}*\n${shown}`);
}

export function renderSlack(alert: Alert) {
  const { subject, severity, event, endpoints, links, at } = alert;
  const facts = [
    event === "resolved"
      ? ":large_green_circle: *RESOLVED*"
      : `${icons[severity]} *${severity.toUpperCase()}*`,
    endpoints.join(", "),
    `${at.slice(0, 16).replace("T", " ")} UTC`,
  ];
  const shownLinks = [
    ...(links.page ? [`<${escapeSlack(links.page)}|Page>`] : []),
    ...(links.runbook ? [`<${escapeSlack(links.runbook)}|Runbook>`] : []),
  ];
  const parts = splitText(alert.text).filter(({ label }) => !linkLabels.includes(label));
  return {
    // For notifications and for services that read no blocks.
    text: escapeSlack(subject),
    blocks: [
      { type: "header", text: { type: "plain_text", text: subject } },
      {
        type: "context",
        elements: facts.filter(Boolean).map((text) => ({ type: "mrkdwn", text })),
      },
      ...parts.slice(0, maxBlocks).map(renderPart),
      ...(shownLinks.length > 0 ? [section(shownLinks.join("  ·  "))] : []),
    ],
  };
}

export const createSlack: CreateSend<"slack"> =
  ({ url }, context) =>
  async (alert) =>
    postJson(await requireSecret(url, context), renderSlack(alert), context);

// A webhook of the team: the alert as JSON by its published schema, or the form that chat services read.
export const createWebhook: CreateSend<"webhook"> =
  ({ url, format }, context) =>
  async (alert) => {
    const text = escapeSlack(`*${alert.subject}*\n${alert.text}`);
    await postJson(await requireSecret(url, context), format === "alert" ? alert : { text, alert }, context);
  };
