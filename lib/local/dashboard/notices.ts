// The deprecation headers that are confirmed now, and the incidents about them so far.

import { decide } from "../../assess/decisions.ts";
import type { AssessState } from "../../assess/state.ts";
import { titleOf } from "../../assess/text/render-alert.ts";
import type { EndpointId } from "../../contract/endpoints.ts";
import { endOf, type Incident, type RuleId } from "../../records/incident.ts";
import type { DecisionRequest, NoticesView } from "../server/api-schemas.ts";
import type { IncidentSources } from "./incidents.ts";

/** They announce an end, and say nothing of the data. */
export const noticeRules: readonly RuleId[] = ["sunset", "sunset-passed", "deprecation"];
const isNotice = ({ rule, openedAt }: Incident) => noticeRules.includes(rule) && openedAt !== undefined;

export function readNotices({ incidents, resolved }: AssessState): NoticesView {
  const firing = incidents.filter((incident) => incident.state === "firing" && isNotice(incident));
  const events = [...resolved, ...incidents].filter(isNotice).flatMap(listEvents);
  return {
    current: firing.flatMap(readHeaders),
    events: events.sort((a, b) => (a.at < b.at ? 1 : -1)),
  };
}

/** Endpoints that send the same date are grouped. */
function readHeaders({ facts, since }: Incident): NoticesView["current"] {
  if (facts.source === "configured") return [];
  if (facts.notices)
    return facts.notices.map((text) => {
      const own = facts.endpoints.filter((endpoint) => facts.noticesOf?.[endpoint]?.includes(text) ?? true);
      return readNotice(text, own, since);
    });
  const groups = new Map<string, EndpointId[]>();
  for (const endpoint of facts.endpoints) {
    const date = facts.dates?.[endpoint]?.slice(0, 10) ?? "";
    groups.set(date, [...(groups.get(date) ?? []), endpoint]);
  }
  return [...groups].map(([date, endpoints]) => ({
    header: "Sunset",
    endpoints,
    date: date === "" ? undefined : date,
    since,
  }));
}

/** `Deprecation 2026-11-16` is a header and its date; a Link, a Warning or a message has none. */
function readNotice(text: string, endpoints: EndpointId[], since: string): NoticesView["current"][number] {
  const [, header = text, date] = /^(.*?)(?: (\d{4}-\d\d-\d\d))?$/.exec(text) ?? [];
  return { header, date, endpoints, since };
}

function listEvents(incident: Incident): NoticesView["events"] {
  const title = titleOf(incident);
  const end = endOf(incident);
  return [
    { at: incident.since, text: title },
    ...incident.sent
      .filter(({ event }) => event === "changed")
      .map(({ at }) => ({ at, text: `Changed: ${title}` })),
    ...(end ? [{ at: end, text: `No longer sent: ${title}` }] : []),
  ];
}

/** Returns why the decision is refused, or undefined once it is recorded. */
export async function recordDecision(
  { currentState, store, nowMs, settings }: IncidentSources,
  { ahead, ...request }: DecisionRequest,
): Promise<string | undefined> {
  const decided = await decide({
    ports: store,
    state: currentState.assessState(),
    request: { ...request, isAhead: ahead === true },
    context: settings,
    nowMs: nowMs(),
  });
  return decided.kind === "refused" ? decided.problem : undefined;
}
