// PagerDuty's Events API v2: one incident of v1watch is one incident there, by its dedup key.
import { address, secretSource } from "../config/secret-source.ts";
import { type Alert, incidentOf, listEnded, listLinks } from "../records/alert.ts";
import { defineHttpChannel, readJsonObject } from "./http-channel.ts";
import { incidentEvents } from "./shared-settings.ts";

const severityNames = { page: "critical", warning: "warning", info: "info" } as const;

const actions: Partial<Record<Alert["event"], "acknowledge" | "resolve">> = {
  acknowledged: "acknowledge",
  resolved: "resolve",
};

/** One field for each section, by its label. */
const detailsOf = (sections: Alert["sections"]): Record<string, string> =>
  Object.fromEntries(
    sections.map(({ label, lines }) => [label === "" ? "summary" : label, lines.join("\n")]),
  );

/** A subject and an id are shorter than PagerDuty's limits of a summary and of a dedup key. */
export function renderPagerDuty(alert: Alert, routingKey: string) {
  const { event, severity, subject, sections, at, rule, scope, endpoints, facts, links } = alert;
  const action = actions[event] ?? "trigger";
  const head = {
    routing_key: routingKey,
    event_action: action,
    dedup_key: incidentOf(alert),
  };
  if (action !== "trigger") return head;
  const shownLinks = listLinks(alert).map(({ button, url }) => ({ href: url, text: button }));
  return {
    ...head,
    client: "v1watch",
    client_url: links.page,
    links: shownLinks.length > 0 ? shownLinks : undefined,
    payload: {
      summary: subject,
      source: "v1watch",
      severity: severityNames[severity],
      timestamp: at,
      component: endpoints.join(", "),
      group: scope,
      class: rule,
      custom_details: { event, ...detailsOf(sections), facts: facts ?? undefined },
    },
  };
}

export const pagerDuty = defineHttpChannel({
  type: "pagerduty",
  description: "Triggers, acknowledges and resolves incidents in PagerDuty, each under one dedup key.",
  events: incidentEvents,
  secrets: { routingKey: secretSource("the integration key (Events API v2)", "PAGERDUTY_ROUTING_KEY") },
  settings: {
    url: address("https://events.eu.pagerduty.com/v2/enqueue")
      .default("https://events.pagerduty.com/v2/enqueue")
      .describe("The address of the Events API; accounts in the EU have another one."),
  },
  requests(alert, { routingKey, url }) {
    const resolve = (id: string) => ({ routing_key: routingKey, dedup_key: id, event_action: "resolve" });
    // A RESOLVED is itself the end of its incident.
    const others = alert.event === "resolved" ? listEnded(alert).slice(1) : listEnded(alert);
    return [
      { url, body: renderPagerDuty(alert, routingKey) },
      ...others.map((id) => ({ url, body: resolve(id), ends: id })),
    ];
  },
  // https://developer.pagerduty.com/docs/send-alert-event (November 2026): 202 with the status "success".
  isAccepted: (text) => readJsonObject(text)?.status === "success",
});
