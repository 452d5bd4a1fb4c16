// Prometheus' Alertmanager: an incident is an alert there, by its labels, until its `endsAt` is over.
// https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml (postableAlerts, November 2026).
import { address, secretSource } from "../config/secret-source.ts";
import { type Alert, incidentOf, isEndedAtOnce, listLinks } from "../records/alert.ts";
import { severities } from "../records/incident.ts";
import { dayMs } from "../time.ts";
import { sectionsOf } from "./alert-text.ts";
import { defineHttpChannel } from "./http-channel.ts";
import { incidentEvents } from "./shared-settings.ts";

/** v1watch sends an incident once, and Alertmanager forgets an alert at its `endsAt`. */
const openMs = 400 * dayMs;
/** A drill gets no RESOLVED. Ended at once, it would be over before Alertmanager notifies anybody. */
const drillMs = 10 * 60_000;

const severityNames = { page: "critical", warning: "warning", info: "info" } as const;

/** The labels are what identifies an alert there: only what is known of an incident that another one replaced. */
const labelsOf = (incident: string, severity: Alert["severity"]) => ({
  alertname: "v1watch",
  incident,
  severity: severityNames[severity],
});

const plus = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

function annotationsOf(alert: Alert): Record<string, string> {
  const description = sectionsOf(alert)
    .map(({ label, body }) => (label === "" ? body : `${label}\n${body}`))
    .join("\n\n");
  const links = listLinks(alert).map(({ label, url }) => [label.toLowerCase(), url] as const);
  const { subject, event, rule, endpoints } = alert;
  const all = { summary: subject, description, event, rule, endpoints: endpoints.join(", ") };
  // Alertmanager drops empty annotations.
  return Object.fromEntries([...Object.entries(all), ...links].filter(([, value]) => value !== ""));
}

export function renderAlertmanager(alert: Alert, nowMs: number) {
  const { severity, event, supersedes = [], links } = alert;
  // What a clock that was wrong has dated in the future would begin then, and fire until then.
  const at = new Date(Math.min(Date.parse(alert.at), nowMs)).toISOString();
  const incident = incidentOf(alert);
  const endsAt = event === "resolved" ? at : plus(at, isEndedAtOnce(alert) ? drillMs : openMs);
  const ended = [
    // The severity is a label, so that an incident with another severity is another alert there.
    ...(event === "changed"
      ? severities.filter((other) => other !== severity).map((other) => labelsOf(incident, other))
      : []),
    ...supersedes.flatMap((id) => severities.map((one) => labelsOf(id, one))),
  ];
  return [
    {
      labels: labelsOf(incident, severity),
      annotations: annotationsOf(alert),
      // Left out, it would be `endsAt`. Alertmanager keeps the earliest one that it was told.
      startsAt: at,
      endsAt,
      generatorURL: links.page,
    },
    ...ended.map((labels) => ({ labels, endsAt: at })),
  ];
}

export const alertmanager = defineHttpChannel({
  type: "alertmanager",
  description:
    "Posts alerts to Prometheus' Alertmanager (API v2), with the labels alertname=v1watch, incident and severity (critical, warning, info). RESOLVED ends the alert. Alertmanager keeps alerts in memory: after a restart it knows an open incident only from the next message about it.",
  events: incidentEvents,
  secrets: {
    authorization: secretSource("the Authorization header", "ALERTMANAGER_AUTHORIZATION")
      .optional()
      .describe("The source of the Authorization header, such as Bearer TOKEN."),
  },
  settings: {
    server: address("https://alertmanager.example.com").describe(
      "The address of Alertmanager, without /api/v2/alerts.",
    ),
  },
  requests: (alert, { server, authorization }, nowMs) => [
    {
      url: `${server.replace(/\/+$/, "")}/api/v2/alerts`,
      body: renderAlertmanager(alert, nowMs),
      headers: authorization === undefined ? undefined : () => ({ Authorization: authorization }),
    },
  ],
});
