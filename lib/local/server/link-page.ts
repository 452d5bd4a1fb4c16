// The form behind a signed link: what the incident is, one button, and what was decided. GET only shows it, so that the
// preview of a link in a mail or chat program decides nothing.

import { titleOf } from "../../assess/text/render-alert.ts";
import { html, type Markup, trusted } from "../../html.ts";
import { type Decision, endOf, type Incident } from "../../records/incident.ts";
import { hourMs, momentText } from "../../time.ts";
import { findDecisions, type IncidentSources } from "../dashboard/incidents.ts";
import { recordDecision } from "../dashboard/notices.ts";
import type { LinkAction } from "./signed-links.ts";

const muteMs = 4 * hourMs;
const defaultReason = "by the link in its alert";

export type LinkPage = { status: 200 | 303 | 400 | 403 | 410; body: string };

type Link = { action: LinkAction; incidentId: string; isSigned: boolean };

/** `reason`: what the form sent; undefined where the form is only shown. */
export async function answerLink(
  sources: IncidentSources,
  link: Link,
  reason: string | undefined,
): Promise<LinkPage> {
  const { action, incidentId } = link;
  if (!link.isSigned)
    return { status: 403, body: renderNotice("This link is not valid", invalidLines, undefined) };
  const { incidents, resolved } = sources.currentState.assessState();
  const incident = incidents.find(({ id, state }) => id === incidentId && state === "firing");
  if (!incident) {
    const ended = resolved.find(({ id }) => id === incidentId);
    return {
      status: 410,
      body: renderNotice("This incident is no longer open", describeEnd(ended), ended && incidentId),
    };
  }
  const nowMs = sources.nowMs();
  const until = new Date(nowMs + muteMs).toISOString();
  const decided = findDecisions(incident, await sources.store.ledger.decisions(), nowMs).find(
    ({ kind }) => kind === kinds[action],
  );
  if (reason === undefined || decided)
    return {
      status: reason === undefined ? 200 : 303,
      body: renderLink(action, incident, { decided, until }),
    };
  const refused = await recordDecision(sources, {
    kind: kinds[action],
    subject: incidentId,
    reason: reason.trim() || defaultReason,
    until: action === "mute" ? until : undefined,
  });
  return refused === undefined
    ? { status: 303, body: "" }
    : { status: 400, body: renderLink(action, incident, { problem: refused, until }) };
}

const kinds = { acknowledge: "ack", mute: "mute" } as const satisfies Record<LinkAction, Decision["kind"]>;

const invalidLines = [
  "Something changed it or cut it off, it belongs to another incident, or a monitor with another secret made it.",
  "Nothing was changed. Open the link in the alert again, or acknowledge the incident on the dashboard.",
];

function describeEnd(incident: Incident | undefined): string[] {
  const nothing =
    "The link was valid while the incident was open. Nothing was changed, and there is nothing to do.";
  if (!incident) return [nothing];
  const { supersededBy } = incident;
  if (supersededBy !== undefined)
    return [
      `${titleOf(incident)}.`,
      `It is now part of another incident, ${supersededBy}, whose alert has links of its own.`,
    ];
  const end = endOf(incident);
  return [`${titleOf(incident)}${end ? `; it ended at ${momentText(end)}` : ""}.`, nothing];
}

const words = {
  acknowledge: {
    button: () => "Acknowledge",
    effect: () =>
      "v1watch tells everybody who got the alert, and stops the reminders. It still sends the RESOLVED.",
    done: ({ reason }: Decision) => `Acknowledged: ${reason}`,
  },
  mute: {
    button: () => "Mute for 4 h",
    effect: (until: string) =>
      `v1watch sends no message about it until ${momentText(until)}, except the RESOLVED. Checks go on.`,
    done: ({ reason, until }: Decision) => `Muted${until ? ` until ${momentText(until)}` : ""}: ${reason}`,
  },
} as const;

function renderLink(
  action: LinkAction,
  incident: Incident,
  shown: { decided?: Decision | undefined; problem?: string; until: string },
): string {
  const { severity, since, endpoints, id } = incident;
  const { button, effect, done } = words[action];
  const form = html`<form method="post">
<label for="reason">Your name or a reason (optional)</label>
<input id="reason" name="reason" maxlength="200" autocomplete="name">
<button>${button()}</button>
<p>${effect(shown.until)}</p>
</form>`;
  return renderDocument(
    `${button()}: ${titleOf(incident)}`,
    html`<p class="severity ${severity}">${severity.toUpperCase()}</p>
<h1>${titleOf(incident)}</h1>
<p>Since ${momentText(since)} on ${endpoints.join(", ")}.</p>
${shown.problem !== undefined && html`<p role="alert">Not done: ${shown.problem}.</p>`}
${shown.decided ? html`<p class="done" role="status">${done(shown.decided)}</p>` : form}
<p><a href="../${encodeURIComponent(id)}">Open incident</a></p>`,
  );
}

const renderNotice = (title: string, lines: readonly string[], incidentId: string | undefined): string =>
  renderDocument(
    title,
    html`<h1>${title}</h1>
${lines.map((line) => html`<p>${line}</p>\n`)}${
  incidentId !== undefined && html`<p><a href="../${encodeURIComponent(incidentId)}">Open incident</a></p>`
}`,
  );

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 36rem; padding: 1.5rem 1rem; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: .25rem 0; overflow-wrap: anywhere; }
.severity { font-weight: 700; margin: 0; }
.severity.page { color: light-dark(#b3261e, #ff8a80); }
.severity.warning { color: light-dark(#8a5300, #ffb95c); }
.done { border-left: .25rem solid light-dark(#1b7f3b, #6fdc8c); padding-left: .75rem; font-weight: 600; }
label, input, button { display: block; box-sizing: border-box; width: 100%; font: inherit; }
input { margin: .25rem 0 1rem; padding: .6rem; }
button { padding: .8rem; font-weight: 700; border: 0; border-radius: .4rem; background: #0b57d0; color: #fff; }
`;

const renderDocument = (title: string, content: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.markup;
