// PagerDuty's Events API v2: one incident of v1watch is one incident there, by its dedup key.
import { type Alert, incidentOf, listLinks } from "../../records/alert.ts";
import { type CreateSend, postJson, requireSecret } from "./channel.ts";

const severityNames = { page: "critical", warning: "warning", info: "info" } as const;

const actions: Partial<Record<Alert["event"], "acknowledge" | "resolve">> = {
  acknowledged: "acknowledge",
  resolved: "resolve",
};

/** They get no RESOLVED, so nothing of them is left open. Everything else ends with one. */
const endedAtOnce: readonly Alert["event"][] = ["drill", "digest", "countdown"];

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

export const createPagerDuty: CreateSend<"pagerduty"> =
  ({ routingKey, url }, context) =>
  async (alert) => {
    const message = renderPagerDuty(alert, await requireSecret(routingKey, context));
    const receipts = await postJson(url, message, context);
    // An incident that another one replaced gets no RESOLVED of its own.
    const ended = [
      ...(endedAtOnce.includes(alert.event) ? [incidentOf(alert)] : []),
      ...(alert.supersedes ?? []),
    ];
    const { routing_key } = message;
    for (const id of ended)
      await postJson(url, { routing_key, dedup_key: id, event_action: "resolve" }, context);
    return receipts;
  };
