// A check history from a few words: rows of minutes after the start, and what differs from a good check.
import { freshHistory, noteCheck } from "../../../lib/assess/history/history.ts";
import type { History } from "../../../lib/assess/history/types.ts";
import type { RuleContext, RuleSettings } from "../../../lib/assess/rules/rule.ts";
import { thresholds } from "../../../lib/config/thresholds.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Facts, Incident, RuleId } from "../../../lib/records/incident.ts";
import { minuteMs, observationOf } from "../observation-builder.ts";

export const list = "passport-list";
export const passport = "passport";
export const credentials = "passport-credentials";

export const startMs = Date.parse("2026-03-02T00:00:00Z");
export const at = (minutes: number) => startMs + Math.round(minutes * minuteMs);
export const iso = (minutes: number) => new Date(at(minutes)).toISOString();

export type Row = readonly [minutes: number, outcome?: Parameters<typeof observationOf>[0]];

/** Checks of the list, where a row names no other endpoint. */
export function historyOf(rows: readonly Row[], history: History = freshHistory()): History {
  for (const [minutes, outcome] of rows) noteCheck(history, observationOf({ at: at(minutes), ...outcome }));
  return history;
}

/** The same check of each endpoint, in order, seconds apart. */
export const tick = (minutes: number, outcome: Row[1] = {}): Row[] =>
  endpointIds.map((endpoint, index) => [minutes + index / 60, { endpoint, ...outcome }]);

/** Every `step` minutes from the first to the last. */
export const every = (step: number, from: number, to: number, outcome: Row[1] = {}): Row[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => [from + index * step, outcome]);

type Given = Partial<Omit<RuleContext, "settings">> & { settings?: Partial<RuleSettings> };

export const contextOf = (history: History, given: Given = {}): RuleContext => ({
  history,
  incidents: [],
  nowMs: history.lastMs ?? startMs,
  thresholds,
  ...given,
  settings: { silentAfterMs: 120 * minuteMs, isMuted: () => false, ...given.settings },
});

/** A firing incident of all endpoints since the start. */
export function incidentOf(
  rule: RuleId,
  over: Partial<Omit<Incident, "facts">> & { facts?: Partial<Facts> } = {},
): Incident {
  const { endpoints = [...endpointIds] as EndpointId[], since = iso(0) } = over;
  const scope = endpoints.length === endpointIds.length ? "api" : "endpoint";
  return {
    schema: "v1watch/incident/2",
    id: `${rule}-${since}`,
    rule,
    scope,
    severity: "page",
    state: "firing",
    openedAt: since,
    key: rule,
    sent: [],
    ...over,
    endpoints,
    since,
    facts: {
      rule,
      scope,
      endpoints,
      firstBadAt: since,
      lastGoodBeforeAt: null,
      lastBadAt: since,
      firstGoodAfterAt: null,
      bad: 3,
      total: 3,
      windowSeconds: 0,
      ...over.facts,
    },
  };
}
