// Responses that are valid and no longer V1's data: shrinking, equal, empty, or with dates made for the response.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { RuleId } from "../../records/incident.ts";
import type { Check } from "../history/check.ts";
import { goodChecks, hoursOf, instantText, median } from "../history/queries.ts";
import {
  credentialIds,
  type Evaluation,
  firingOf,
  inactive,
  isServed,
  keptOnset,
  listIds,
  type RuleContext,
  type RuleFacts,
  span,
  tail,
  unknown,
  warn,
} from "./rule.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The list's total is a fifth below that of 30 days before, or of the first day where the watch is younger. */
export function evaluateShrinking(context: RuleContext): Evaluation[] {
  const { history, nowMs, thresholds: limits } = context;
  const firing = firingOf(context, "data-shrinking");
  return listIds.map((endpoint) => {
    // A total that contradicts the pages and records beside it tells nothing about the data.
    const checks = goodChecks(history, endpoint).filter(
      ({ total, findings = [] }) =>
        total !== undefined && !findings.some(({ kind }) => kind === "pagination"),
    );
    const hours = hoursOf(history, endpoint);
    const oldest = hours.find(({ total }) => total !== undefined);
    if (checks.length === 0 || !oldest || !isServed(history, endpoint)) return unknown;
    const fromMs = Math.max(nowMs - limits.shrunkenFromDays * dayMs, oldest.hour * hourMs);
    const from = hours.findIndex(({ hour }) => hour * hourMs >= fromMs);
    const first = (from === -1 ? [] : hours.slice(from, from + 24)).filter(
      ({ hour, total }) => hour * hourMs < fromMs + dayMs && total !== undefined,
    );
    const reference = firing?.facts.recordsBefore ?? median(first.map(({ total }) => total!));
    if (reference === undefined || reference === 0) return unknown;
    const share = firing ? limits.shrunkenEndShare : limits.shrunkenShare;
    const { last, before } = tail(checks, ({ total }) => total! <= share * reference);
    if (last.length < (firing ? 1 : limits.shrunkenChecks))
      return inactive(firing ? checks.at(-1) : undefined, nowMs);
    return warn({
      rule: "data-shrinking",
      endpoint,
      key: "shrunken",
      ...span(last),
      ...keptOnset(firing, last[0]!.atMs, before?.atMs),
      windowMs: last.at(-1)!.atMs - last[0]!.atMs,
      facts: {
        records: last.at(-1)!.total!,
        recordsBefore: reference,
        recordsBeforeAt: firing?.facts.recordsBeforeAt ?? instantText((first[0]?.hour ?? 0) * hourMs),
      },
    });
  });
}

/** A property of single checks that has to hold in several of them, in a row, and did not hold before. */
function evaluateTail(
  context: RuleContext,
  rule: RuleId,
  checks: readonly Check[],
  endpoint: EndpointId,
  has: (check: Check) => boolean,
  { minChecks, forMs }: { minChecks: number; forMs: number },
  toFacts: (last: readonly Check[]) => RuleFacts,
): Evaluation {
  const firing = firingOf(context, rule);
  if (checks.length === 0 || !isServed(context.history, endpoint)) return unknown;
  const { last, before } = tail(checks, has);
  if (last.length === 0) return inactive(firing ? before : undefined, context.nowMs);
  if (firing ? false : last.length < minChecks || last.at(-1)!.atMs - last[0]!.atMs < forMs || !before)
    return unknown;
  return warn({
    rule,
    endpoint,
    key: rule,
    ...span(last),
    ...keptOnset(firing, last[0]!.atMs, before?.atMs),
    windowMs: last.at(-1)!.atMs - last[0]!.atMs,
    facts: toFacts(last),
  });
}

export const evaluateEqual = (context: RuleContext): Evaluation[] =>
  listIds.map((endpoint) =>
    evaluateTail(
      context,
      "equal-scores",
      goodChecks(context.history, endpoint).filter(
        ({ equalScores }) => equalScores && equalScores.of >= context.thresholds.equalRecords,
      ),
      endpoint,
      ({ equalScores }) => equalScores!.same >= context.thresholds.equalShare * equalScores!.of,
      { minChecks: context.thresholds.equalChecks, forMs: context.thresholds.pageAfterMs },
      (last) => ({ equalRecords: last.at(-1)!.equalScores!.same, records: last.at(-1)!.equalScores!.of }),
    ),
  );

export const evaluateAlwaysNow = (context: RuleContext): Evaluation[] =>
  listIds.map((endpoint) =>
    evaluateTail(
      context,
      "dates-always-now",
      goodChecks(context.history, endpoint).filter(
        ({ medianAgeMs, records = 0 }) => medianAgeMs !== undefined && records > 1,
      ),
      endpoint,
      ({ medianAgeMs }) => medianAgeMs! < context.thresholds.alwaysNowMs,
      { minChecks: context.thresholds.alwaysNowChecks, forMs: context.thresholds.alwaysNowForMs },
      (last) => ({
        limitSeconds: context.thresholds.alwaysNowMs / 1_000,
        records: last.at(-1)!.records ?? 0,
      }),
    ),
  );

/** Credentials are empty for samples that had some. */
export function evaluateCredentials(context: RuleContext): Evaluation[] {
  const { history, thresholds, nowMs } = context;
  const firing = firingOf(context, "credentials-empty");
  return credentialIds.map((endpoint) => {
    const checks = goodChecks(history, endpoint).filter(
      ({ sample, records }) => sample !== undefined && records !== undefined,
    );
    if (checks.length === 0 || !isServed(history, endpoint)) return unknown;
    const { last, before } = tail(checks, ({ records }) => records === 0);
    if (last.length === 0) return inactive(firing ? before : undefined, nowMs);
    const had = new Set(checks.filter(({ records = 0 }) => records > 0).map(({ sample }) => sample));
    const lost = new Set(last.filter(({ sample }) => had.has(sample)).map(({ sample }) => sample));
    if (!firing && (last.length < thresholds.credentialsChecks || lost.size < thresholds.credentialsSamples))
      return unknown;
    return warn({
      rule: "credentials-empty",
      endpoint,
      key: "empty",
      ...span(last),
      ...keptOnset(firing, last[0]!.atMs, before?.atMs),
      windowMs: last.at(-1)!.atMs - last[0]!.atMs,
      facts: { samples: firing ? (firing.facts.samples ?? lost.size) : lost.size },
    });
  });
}
