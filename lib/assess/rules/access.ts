// What a failure is: the cause of an outage from what the checks got, and who is refused.

import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Incident, RuleId, Scope } from "../../records/incident.ts";
import { isRefused, type ResponseClass } from "../../records/outcome.ts";
import type { Check } from "../history/check.ts";
import { checksOf, countChecks, judgedChecks, watchedEndpoints } from "../history/queries.ts";
import {
  type Evaluation,
  firingOf,
  isServed,
  keptOnset,
  type RuleContext,
  type RuleFacts,
  scopeOf,
  span,
  tail,
  unknown,
} from "./rule.ts";

type Kind = "down" | "unauthorized" | "removed" | Exclude<RuleId, "down">;

/** Classes that mean the same thing are one kind. */
const kinds: Partial<Record<ResponseClass, Kind>> = {
  failed: "down",
  unauthorized: "unauthorized",
  quota: "unauthorized",
  forbidden: "access-refused",
  throttled: "throttled",
  "not-found": "removed",
  gone: "removed",
  redirect: "removed",
  "v2-shape": "serves-v2",
  "error-envelope": "error-envelope",
  "not-json": "not-json",
  empty: "empty-list",
  stub: "stub-data",
  unsafe: "unsafe-response",
};
const kindOf = ({ class: name }: Pick<Check, "class">): Kind => kinds[name] ?? "down";

type Cause = {
  rule: RuleId;
  facts: RuleFacts;
  changedMs?: number;
  changedAfterMs?: number | undefined;
};

/** The kind that the last checks of all endpoints show, since when, and the last check before it. */
type Latest = { kind: Kind; checks: Check[]; beforeMs: number | undefined };

function latestKind(
  { history, thresholds }: RuleContext,
  endpoints: readonly EndpointId[],
  fromMs: number,
): Latest | undefined {
  const all = judgedChecks(history, endpoints, fromMs).filter(({ class: name }) => name !== "ok");
  const last = all.at(-1);
  if (!last) return undefined;
  const kind = kindOf(last);
  const since = all.findLastIndex((check) => kindOf(check) !== kind);
  const checks = all.slice(since + 1);
  const isEverywhere = endpoints.every((endpoint) => checks.some((check) => check.endpoint === endpoint));
  // A change needs as many checks as a page; what was so from the first bad check on needs none.
  const needed = since < 0 ? 1 : thresholds.changeChecks;
  if (!isEverywhere || checks.length < needed) return undefined;
  return { kind, checks, beforeMs: all[since]?.atMs };
}

/** An unconfirmed new kind leaves the cause as it was; without one, it is an outage. */
export function findCause(
  context: RuleContext,
  endpoints: readonly EndpointId[],
  scope: Scope,
  fromMs: number,
  incident: Incident | undefined,
): Cause {
  const latest = latestKind(context, endpoints, fromMs);
  if (!latest) return keepCause(endpoints, incident);
  const { kind, checks, beforeMs } = latest;
  const change = { changedMs: checks[0]!.atMs, changedAfterMs: beforeMs };
  if (kind === "unauthorized")
    return { ...change, ...findRefusal(context, endpoints, scope, fromMs, latest, incident) };
  if (kind === "removed") return { ...change, ...findRemoval(context, endpoints, scope, checks, incident) };
  // An empty list may name a total.
  const total = checks.at(-1)!.total;
  return { ...change, rule: kind, facts: total === undefined ? {} : { records: total } };
}

function keepCause(endpoints: readonly EndpointId[], incident: Incident | undefined): Cause {
  if (!incident) return { rule: "down", facts: {} };
  const { rule } = incident;
  if (incident.endpoints.length === endpoints.length) return { rule, facts: keptFacts(incident) };
  // Some endpoints have recovered: what was said and counted of all of them does not hold for the others.
  return { rule: rule === "maybe-retired" || rule === "retired" ? "down" : rule, facts: {} };
}

const keptFacts = (incident: Incident): RuleFacts => {
  const { anonymousServed, anonymousRefused, anonymousBefore, usageCurrent, usageLimit, samples } =
    incident.facts;
  return {
    ...(anonymousServed !== undefined && { anonymousServed }),
    ...(anonymousRefused !== undefined && { anonymousRefused }),
    ...(anonymousBefore !== undefined && { anonymousBefore }),
    ...(usageCurrent !== undefined && { usageCurrent }),
    ...(usageLimit !== undefined && { usageLimit }),
    ...(samples !== undefined && { samples }),
  };
};

/** The checks at the end that agree on something, if they are as many as a change of the cause needs. */
function agreedTail(
  { thresholds }: RuleContext,
  endpoints: readonly EndpointId[],
  checks: readonly Check[],
  has: (check: Check) => boolean,
): { has: boolean; checks: readonly Check[]; before: Check | undefined } | undefined {
  const value = has(checks.at(-1)!);
  const index = checks.findLastIndex((check) => has(check) !== value);
  const last = checks.slice(index + 1);
  const isEverywhere = endpoints.every((endpoint) => last.some((check) => check.endpoint === endpoint));
  const isEnough = index < 0 || (isEverywhere && last.length >= thresholds.changeChecks);
  return isEnough ? { has: value, checks: last, before: checks[index] } : undefined;
}

/** 410 says that a path is gone; 404 and a redirect say that it was withdrawn. */
function findRemoval(
  context: RuleContext,
  endpoints: readonly EndpointId[],
  scope: Scope,
  checks: readonly Check[],
  incident: Incident | undefined,
): Cause {
  const facts = { samples: new Set(checks.flatMap(({ sample }) => sample ?? [])).size };
  if (scope === "api" && isRetired(context, incident, ["gone", "withdrawn"], checks))
    return { rule: "retired", facts };
  const tail = agreedTail(context, endpoints, checks, ({ class: name }) => name === "gone");
  const isGone = tail ? tail.has : incident?.rule === "gone";
  return { rule: isGone ? "gone" : "withdrawn", facts };
}

/** The announced or configured date of all endpoints has come. */
function isDatePassed(context: RuleContext, lastMs: number): boolean {
  const announced = firingOf(context, "sunset", "sunset-passed");
  const isForAll = announced && announced.endpoints.length === endpointIds.length;
  const dates = [
    ...(isForAll && announced.facts.date ? [Date.parse(announced.facts.date)] : []),
    ...(context.settings.retirementDate ? [Date.parse(context.settings.retirementDate)] : []),
  ];
  return dates.some((dateMs) => dateMs <= lastMs);
}

/** "May be retired" until 24 h have passed since this cause began, or the announced date has come. */
function isRetired(
  context: RuleContext,
  incident: Incident | undefined,
  from: readonly RuleId[],
  checks: readonly Check[],
): boolean {
  if (incident?.rule === "retired") return true;
  const lastMs = checks.at(-1)!.atMs;
  if (isDatePassed(context, lastMs)) return true;
  if (!incident || !from.includes(incident.rule)) return false;
  const sinceMs = Date.parse(incident.changedAt ?? incident.since);
  return lastMs - sinceMs >= context.thresholds.retiredAfterMs;
}

/** Who gets 401: our key, everybody, or whoever is over a quota. */
function findRefusal(
  context: RuleContext,
  endpoints: readonly EndpointId[],
  scope: Scope,
  fromMs: number,
  { checks }: Latest,
  incident: Incident | undefined,
): Cause {
  const isQuota = ({ class: name }: Check) => name === "quota";
  const tail = agreedTail(context, endpoints, checks, isQuota);
  const isExhausted = tail ? tail.has : incident ? incident.rule === "quota-exhausted" : checks.some(isQuota);
  const change = tail?.before && { changedMs: tail.checks[0]!.atMs, changedAfterMs: tail.before.atMs };
  if (!isExhausted) return { ...change, ...findRefused(context, endpoints, scope, fromMs, checks, incident) };
  const used = checks.findLast(isQuota)?.usage;
  return {
    ...change,
    rule: "quota-exhausted",
    facts: {
      ...(used?.current !== undefined && { usageCurrent: used.current }),
      ...(used?.limit !== undefined && { usageLimit: used.limit }),
    },
  };
}

/** The last two anonymous checks have to agree; until they do, what was known stays. */
function isAnonymousServed(anonymous: readonly Check[], incident: Incident | undefined): boolean {
  const last = anonymous.slice(-2).map(({ class: name }) => name === "ok");
  if (last.every((isServed) => isServed === last[0])) return last[0] ?? false;
  if (incident?.rule === "key-refused") return true;
  return incident?.rule !== "maybe-retired" && incident?.rule !== "retired";
}

function findRefused(
  context: RuleContext,
  endpoints: readonly EndpointId[],
  scope: Scope,
  fromMs: number,
  checks: readonly Check[],
  incident: Incident | undefined,
): Cause {
  const { history } = context;
  const lastMs = history.lastMs ?? fromMs;
  const { bad: refused, total } = countChecks(history, endpoints, fromMs, lastMs, "anonymous");
  const anonymous = endpoints
    .flatMap((endpoint) =>
      checksOf(history, endpoint).filter((check) => check.variant === "anonymous" && !check.isPrimary),
    )
    .filter((check) => check.atMs >= fromMs && (check.class === "ok" || isRefused(check)))
    .sort((a, b) => a.atMs - b.atMs);
  const isNowServed = isAnonymousServed(anonymous, incident);
  const wasServed = endpoints.some((endpoint) => history.endpoints[endpoint]?.anonymousServedMs);
  const hasKey = history.primary !== "anonymous";
  const before = wasServed ? "served" : anonymous.length > 0 || !hasKey ? "never-served" : "not-checked";
  const facts: RuleFacts = hasKey
    ? { anonymousServed: total - refused, anonymousRefused: refused, anonymousBefore: before }
    : { anonymousBefore: before };
  const index = anonymous.findLastIndex((check) => (check.class === "ok") !== isNowServed);
  const [first, other] = [anonymous[index + 1], anonymous[index]];
  const since = first && other && { changedMs: first.atMs, changedAfterMs: other.atMs };
  if (isNowServed) return { rule: "key-refused", facts, ...since };
  const isClosed = wasServed && (!hasKey || anonymous.length > 0);
  if (scope === "endpoint") return { rule: isClosed ? "withdrawn" : "access-refused", facts, ...since };
  // Without an anonymous response nobody can tell a refused key from a retirement, however long it lasts.
  const from = isClosed ? (["maybe-retired"] as const) : [];
  return { rule: isRetired(context, incident, from, checks) ? "retired" : "maybe-retired", facts, ...since };
}

/** Requests without a key were served, and the last ones were refused while the key is served. */
export function evaluateAnonymous(context: RuleContext): Evaluation[] {
  const { history } = context;
  if (history.primary === "anonymous") return [unknown];
  const served = watchedEndpoints(history).filter(
    (endpoint) => history.endpoints[endpoint]?.anonymousServedMs !== undefined,
  );
  // While the key is refused as well, and until it is served again, it is another incident.
  if (served.length === 0 || !served.every((endpoint) => isServed(history, endpoint))) return [unknown];
  const checks = served
    .flatMap((endpoint) => {
      const withKey = judgedChecks(history, [endpoint]);
      const isKeyServed = ({ atMs }: Check) =>
        withKey.findLast((check) => check.atMs <= atMs)?.class === "ok";
      return checksOf(history, endpoint).filter(
        (check) =>
          check.variant === "anonymous" &&
          !check.isPrimary &&
          (check.class === "ok" || (isRefused(check) && isKeyServed(check))),
      );
    })
    .sort((a, b) => a.atMs - b.atMs);
  const { last, before } = tail(checks, ({ class: name }) => name !== "ok");
  const firing = firingOf(context, "anonymous-refused");
  if (last.length === 0) {
    // A check that was served before the refused ones ends nothing.
    if (!before || (firing && before.atMs < Date.parse(firing.facts.lastBadAt))) return [unknown];
    return [{ state: "inactive", firstGoodMs: before.atMs, good: 2, lastMs: before.atMs }];
  }
  const endpoints = endpointIds.filter((endpoint) => last.some((check) => check.endpoint === endpoint));
  const lastServedMs = Math.max(
    0,
    ...endpoints.map((endpoint) => history.endpoints[endpoint]?.anonymousServedMs ?? 0),
  );
  return [
    {
      state: "active",
      rule: "anonymous-refused",
      severity: "warning",
      endpoints,
      scope: scopeOf(endpoints),
      ...span(last),
      ...keptOnset(firing, last[0]!.atMs, lastServedMs || undefined),
      windowMs: last.at(-1)!.atMs - last[0]!.atMs,
      facts: {},
      key: "refused",
    },
  ];
}
