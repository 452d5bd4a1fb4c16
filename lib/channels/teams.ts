// Microsoft Teams through the webhook of a workflow: an Adaptive Card with the title, the facts, the sections and links.
import { secretSource } from "../config/secret-source.ts";
import { type Alert, listLinks } from "../records/alert.ts";
import { momentText } from "../time.ts";
import { type Section, sectionsOf, statusOf } from "./alert-text.ts";
import { defineHttpChannel } from "./http-channel.ts";

/** Teams takes 28 KB. A character has at most 3 bytes, and the title, the facts and the links need some room. */
const maxBodyCharacters = 8_500;

const colors = { page: "Attention", warning: "Warning", info: "Accent" } as const;

type TextStyle = {
  color?: "Attention" | "Warning" | "Accent" | "Good";
  fontType?: "Monospace";
  size?: "Large";
  weight?: "Bolder";
};

/** One line. A TextRun is shown as it is; the text of a TextBlock would be read as Markdown, with links and emphasis. */
const paragraph = (text: string, spacing: "Default" | "None", style: TextStyle = {}) => ({
  type: "RichTextBlock",
  spacing,
  inlines: [{ type: "TextRun", text, ...style }],
});

function renderSection({ label, body, isCommand }: Section) {
  const lines = body.split("\n").filter((line) => line.trim() !== "");
  const style: TextStyle = isCommand ? { fontType: "Monospace" } : {};
  const heading = label === "" ? [] : [paragraph(label, "Default", { weight: "Bolder" })];
  return [...heading, ...lines.map((line) => paragraph(line, "None", style))];
}

/** The first paragraphs that fit. */
function shorten(paragraphs: ReturnType<typeof paragraph>[]) {
  let size = 0;
  const shown = paragraphs.filter((one) => {
    size += JSON.stringify(one).length;
    return size <= maxBodyCharacters;
  });
  return shown.length < paragraphs.length ? [...shown, paragraph("…", "None")] : shown;
}

export function renderTeams(alert: Alert) {
  const { subject, severity, event, endpoints, at } = alert;
  const color = event === "resolved" ? "Good" : colors[severity];
  const facts = [
    { title: "Status", value: statusOf(alert) },
    { title: "Endpoints", value: endpoints.join(", ") },
    { title: "Time", value: momentText(at) },
  ];
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    // The lowest version that has everything used here, so that every client shows it.
    version: "1.2",
    msteams: { width: "Full" },
    body: [
      paragraph(subject, "Default", { color, size: "Large", weight: "Bolder" }),
      { type: "FactSet", facts: facts.filter(({ value }) => value !== "") },
      ...shorten(sectionsOf(alert).flatMap(renderSection)),
    ],
    actions: listLinks(alert).map(({ button, url }) => ({ type: "Action.OpenUrl", title: button, url })),
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content: card }],
  };
}

export const teams = defineHttpChannel({
  type: "teams",
  description:
    "Posts an Adaptive Card to Microsoft Teams through the webhook of a workflow. A workflow accepts a message before it posts it; look in its run history for what it could not post. Each alert is a message there.",
  secrets: { url: secretSource("the address of a workflow's webhook", "TEAMS_WEBHOOK_URL") },
  settings: {},
  requests: (alert, { url }) => [{ url, body: renderTeams(alert) }],
  // A workflow answers 202 without a body. A connector, which workflows replace, says with 200 that Teams refused the message:
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using (November 2026).
  isAccepted: (text) => !text.includes("delivery failed"),
});
