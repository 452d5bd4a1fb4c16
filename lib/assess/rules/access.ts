// What a failure is: the cause of an outage from what the checks got, and who is refused.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Incident, RuleId, Scope } from "../../records/incident.ts";
import { type Check, isRefused, type ResponseClass } from "../history/check.ts";
import { checksOf, countChecks, judgedChecks, runOf, watchedEndpoints } from "../history/queries.ts";
import { type Evaluation, firingOf, type RuleContext, type RuleFacts } from "./rule.ts";

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
type Latest = { kind: Kind; checks: (Check & { endpoint: EndpointId })[]; beforeMs: number | undefined };

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
  if (!latest) return { rule: incident?.rule ?? "down", facts: keptFacts(incident) };
  const { kind, checks, beforeMs } = latest;
  const change = { changedMs: checks[0]!.atMs, changedAfterMs: beforeMs };
  if (kind === "unauthorized")
    return { ...change, ...findRefusal(context, endpoints, scope, fromMs, latest, incident) };
  if (kind === "removed") {
    const samples = new Set(checks.flatMap(({ sample }) => (sample === undefined ? [] : [sample]))).size;
    const rule =
      scope === "endpoint"
        ? "withdrawn"
        : isRetired(context, incident, ["gone"], checks)
          ? "retired"
          : "gone";
    return { ...change, rule, facts: { samples } };
  }
  const total = checks.find((check) => check.total !== undefined)?.total;
  return {
    ...change,
    rule: kind,
    facts: kind === "empty-list" && total !== undefined ? { records: total } : {},
  };
}

const keptFacts = (incident: Incident | undefined): RuleFacts => {
  if (!incident) return {};
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

/** "May be retired" until 24 h have passed since this cause began, or the announced date has come. */
function isRetired(
  context: RuleContext,
  incident: Incident | undefined,
  from: readonly RuleId[],
  checks: readonly Check[],
): boolean {
  if (incident?.rule === "retired") return true;
  const lastMs = checks.at(-1)!.atMs;
  const announced = firingOf(context, "sunset", "sunset-passed");
  const isForAll = announced && announced.endpoints.length === endpointIds.length;
  const dates = [
    ...(isForAll && announced.facts.date ? [Date.parse(announced.facts.date)] : []),
    ...(context.settings.retirementDate ? [Date.parse(context.settings.retirementDate)] : []),
  ];
  if (dates.some((dateMs) => dateMs <= lastMs)) return true;
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
  const { history } = context;
  const used = checks.findLast(({ class: name }) => name === "quota")?.usage;
  if (checks.some(({ class: name }) => name === "quota"))
    return {
      rule: "quota-exhausted",
      facts: {
        ...(used?.current !== undefined && { usageCurrent: used.current }),
        ...(used?.limit !== undefined && { usageLimit: used.limit }),
      },
    };
  const lastMs = history.lastMs ?? fromMs;
  const { bad: refused, total } = countChecks(history, endpoints, fromMs, lastMs, "anonymous");
  const anonymous = endpoints
    .flatMap((endpoint) =>
      checksOf(history, endpoint).filter((check) => check.variant === "anonymous" && !check.isPrimary),
    )
    .filter(({ atMs, class: name }) => atMs >= fromMs && (name === "ok" || isRefused({ class: name })))
    .sort((a, b) => a.atMs - b.atMs);
  const lastServed = anonymous.findLast(({ class: name }) => name === "ok");
  const firstRefused = anonymous.find(
    ({ atMs, class: name }) => name !== "ok" && atMs > (lastServed?.atMs ?? 0),
  );
  const wasServed = endpoints.some(
    (endpoint) => (history.endpoints[endpoint]?.anonymousServedMs ?? Number.NaN) > 0,
  );
  const hasKey = history.primary !== "anonymous";
  const before = wasServed ? "served" : anonymous.length > 0 || !hasKey ? "never-served" : "not-checked";
  const facts: RuleFacts = hasKey
    ? { anonymousServed: total - refused, anonymousRefused: refused, anonymousBefore: before }
    : { anonymousBefore: before };
  const since = firstRefused &&
    lastServed && { changedMs: firstRefused.atMs, changedAfterMs: lastServed.atMs };
  if (lastServed && !firstRefused) return { rule: "key-refused", facts };
  const isClosed = (!hasKey || firstRefused !== undefined) && wasServed;
  // Without an anonymous response nobody can tell a refused key from a retirement: the text says so.
  if (!isClosed) {
    if (incident?.rule === "retired" || incident?.rule === "maybe-retired")
      return { rule: incident.rule, facts };
    return { rule: scope === "api" ? "key-refused" : "access-refused", facts };
  }
  if (scope === "endpoint") return { rule: "withdrawn", facts, ...since };
  const rule = isRetired(context, incident, ["maybe-retired"], checks) ? "retired" : "maybe-retired";
  return { rule, facts, ...since };
}

/** Requests without a key were served, and the last ones were refused while the key is served. */
export function evaluateAnonymous(context: RuleContext): Evaluation[] {
  const { history, thresholds } = context;
  if (history.primary === "anonymous") return [{ state: "unknown" }];
  const served = watchedEndpoints(history).filter(
    (endpoint) => history.endpoints[endpoint]?.anonymousServedMs !== undefined,
  );
  const checks = served
    .flatMap((endpoint) =>
      checksOf(history, endpoint)
        .filter(
          (check) =>
            check.variant === "anonymous" && !check.isPrimary && (check.class === "ok" || isRefused(check)),
        )
        .map((check) => ({ ...check, endpoint })),
    )
    .sort((a, b) => a.atMs - b.atMs);
  const since = checks.findLastIndex(({ class: name }) => name === "ok");
  const last = checks.slice(since + 1);
  if (last.length === 0)
    return checks.length === 0
      ? [{ state: "unknown" }]
      : [{ state: "inactive", firstGoodMs: checks[since]!.atMs, good: 2, lastMs: checks.at(-1)!.atMs }];
  // A key that is refused as well is another incident.
  const isKeyServed = served.every((endpoint) => runOf(history, endpoint)?.state === "good");
  if (!isKeyServed) return [{ state: "unknown" }];
  const endpoints = endpointIds.filter((endpoint) => last.some((check) => check.endpoint === endpoint));
  const lastServedMs = Math.max(
    0,
    ...endpoints.map((endpoint) => history.endpoints[endpoint]?.anonymousServedMs ?? 0),
  );
  return [
    {
      state: "active",
      ...{ rule: "anonymous-refused", severity: "warning", endpoints },
      scope: endpoints.length === endpointIds.length ? "api" : "endpoint",
      firstBadMs: last[0]!.atMs,
      lastGoodMs: lastServedMs || undefined,
      lastBadMs: last.at(-1)!.atMs,
      ...{ bad: last.length, total: last.length, facts: {}, key: "refused" },
      isConfirmed: last.length >= thresholds.anonymousChecks,
    },
  ];
}
