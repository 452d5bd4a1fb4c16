// The drift history as report rows; differences on used fields come first.

import { countJudged, type DriftRow, isPresent } from "../../assess/drift-history.ts";
import type { AssessState } from "../../assess/state.ts";
import { describeFinding, describeImpact } from "../../assess/text/impact.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import type { Facts } from "../../readiness/facts.ts";
import { isAffected, type UsedField } from "../../readiness/gates/usage.ts";
import type { Decision } from "../../records/incident.ts";
import { levels } from "../../records/observation.ts";
import type { Report } from "../../records/report.ts";

type ReportDriftRow = Report["drift"][number];

/**
 * A decision on the finding itself, or on all breaking drift after the finding was first seen: the latest mute unless it
 * is over, or the latest acknowledgement.
 */
function findReview(row: DriftRow, decisions: readonly Decision[], nowMs: number): Decision | undefined {
  const own = decisions.filter(
    ({ subject, at }) =>
      Date.parse(at) <= nowMs &&
      (subject === row.finding.id || (subject === "drift/breaking" && at >= row.firstSeen)),
  );
  const latest = (["mute", "ack"] as const).flatMap((kind) => own.findLast((one) => one.kind === kind) ?? []);
  return latest.find(({ until }) => until === undefined || nowMs < Date.parse(until));
}

/** The drift facts that the readiness gates need. */
export function buildDriftFacts(
  { drift, history }: Pick<AssessState, "drift" | "history">,
  decisions: readonly Decision[],
  nowMs: number,
): NonNullable<Facts["drift"]> {
  const rows = Object.values(drift.rows).map((row) => ({
    id: row.finding.id,
    endpoint: row.endpoint,
    path: row.finding.path,
    level: row.finding.level,
    isCurrent: isPresent(row),
    isReviewed: findReview(row, decisions, nowMs) !== undefined,
  }));
  const judged = endpointIds.flatMap((endpoint) => {
    const responses = countJudged(drift, endpoint);
    return responses === 0 ? [] : [{ endpoint, responses, lastMs: history.endpoints[endpoint]?.servedMs }];
  });
  return { rows, judged };
}

export function buildDriftRows(
  { drift }: AssessState,
  decisions: readonly Decision[],
  used: readonly UsedField[],
  nowMs: number,
): ReportDriftRow[] {
  const rows = Object.values(drift.rows).map((row): ReportDriftRow => {
    const { finding, endpoint, firstSeen, lastSeen, seen, sampleCount, isChange } = row;
    const review = findReview(row, decisions, nowMs);
    const readers = used.filter((field) => isAffected(field, { endpoint, path: finding.path }));
    return {
      id: finding.id,
      endpoint,
      path: finding.path,
      what: describeFinding(finding),
      means: describeImpact(finding),
      level: finding.level,
      isChange,
      isCurrent: isPresent(row),
      firstSeen,
      lastSeen,
      seen,
      sampleCount,
      usedBy: [...new Set(readers.flatMap(({ consumers }) => consumers))],
      review: review
        ? {
            kind: review.kind,
            reason: review.reason,
            until: review.until,
          }
        : undefined,
    };
  });
  const rank = (row: ReportDriftRow) =>
    (row.usedBy.length > 0 ? 0 : 100) + (row.isCurrent ? 0 : 10) + levels.indexOf(row.level);
  return rows.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
}
