// The messages of a history as lines: when, what, about which endpoints, with all facts that a message is made of.
import { endpointIds } from "../../lib/contract/endpoints.ts";
import type { Facts } from "../../lib/records/incident.ts";
import type { Watched } from "./driver.ts";

/** 02 06:17:00 */
const timeOf = (instant: string | null) =>
  instant === null ? "none" : instant.slice(8, 19).replace("T", " ");

const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const shorten = (_key: string, value: unknown) =>
  typeof value === "string" && isInstant.test(value) ? value.slice(0, 19) : value;

/** The facts of the rule itself. */
function describeMore(facts: Facts): string {
  const {
    rule: _rule,
    scope: _scope,
    endpoints: _endpoints,
    firstBadAt: _firstBadAt,
    lastGoodBeforeAt: _lastGoodBeforeAt,
    lastBadAt: _lastBadAt,
    firstGoodAfterAt: _firstGoodAfterAt,
    bad: _bad,
    total: _total,
    windowSeconds: _windowSeconds,
    // Held against the log of checks by fact-auditor.ts.
    rows: _rows,
    ...more
  } = facts;
  const text = JSON.stringify(more, shorten).replaceAll('"', "");
  return text === "{}" ? "" : ` ${text}`;
}

/** "OPENED page down on all: 7/7 from 02 06:00:00 to 02 06:05:00, good until 02 05:48:00" */
export const transcriptOf = ({ events }: Pick<Watched, "events">): string[] =>
  events.map(({ event, incident: { severity, rule, endpoints, facts }, at }) => {
    const where = endpoints.length === endpointIds.length ? "all" : endpoints.join("+");
    if ((facts.scope === "api") !== (where === "all")) throw new Error(`${facts.scope} on ${where}`);
    const until = facts.firstGoodAfterAt === null ? "" : `, good from ${timeOf(facts.firstGoodAfterAt)}`;
    const count = `${facts.bad}/${facts.total} in ${facts.windowSeconds} s`;
    const span = `${timeOf(facts.firstBadAt)} to ${timeOf(facts.lastBadAt)}`;
    return `${timeOf(at)} ${event.toUpperCase()} ${severity} ${rule} on ${where}: ${count}, ${span}, good until ${timeOf(facts.lastGoodBeforeAt)}${until}${describeMore(facts)}`;
  });
