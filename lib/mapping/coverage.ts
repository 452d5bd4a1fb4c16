// Mapping coverage: the decision status of every V1 field and behaviour.

import type { EndpointId } from "../contract/endpoints.ts";
import type { BehaviourRow, Decision, FieldRow, Mapping } from "../records/mapping.ts";
import { type BehaviourId, behaviours, isMapped, v1Fields } from "./fields.ts";
import { unassignedOwner } from "./starter.ts";

/**
 * The words of `migrate`, `ready` and the report. `unverified` counts as decided but has not been confirmed; `expired` and
 * `unowned` are drops that count as undecided.
 */
const decisionStatuses = ["decided", "unverified", "undecided", "expired", "unowned"] as const;
export type DecisionStatus = (typeof decisionStatuses)[number];

/** Whether nobody has to decide the row any more. */
export const isDecided = (standing: DecisionStatus): boolean =>
  standing === "decided" || standing === "unverified";

export const standingTexts: Record<DecisionStatus, string> = {
  decided: "decided",
  unverified: "unverified",
  undecided: "undecided",
  expired: "expired",
  unowned: "no owner",
};

type RowStatus = { decision: Decision; standing: DecisionStatus; note?: string | undefined };
export type FieldCoverage = RowStatus & {
  path: string;
  endpoint: EndpointId;
  /** Where the field is in V2. */
  to?: { endpoint: string; path: string } | undefined;
  /** The number of lines that use the field; absent without an inventory. */
  uses?: number | undefined;
};
export type BehaviourCoverage = RowStatus & { id: BehaviourId; v1: string };

export type Coverage = {
  schema: "v1watch/coverage/1";
  counts: Record<DecisionStatus, number>;
  isDecided: boolean;
  fields: FieldCoverage[];
  behaviours: BehaviourCoverage[];
};

/** `today` is a UTC day such as 2027-03-31. A drop is still valid on its expiry day. */
export function judgeRow(row: FieldRow | BehaviourRow | undefined, today: string): RowStatus {
  const withStatus = (standing: DecisionStatus): RowStatus => ({
    decision: row?.decision ?? "undecided",
    standing,
    note: row?.note,
  });
  if (!row || row.decision === "undecided") return withStatus("undecided");
  if (row.decision === "dropped" && row.owner === unassignedOwner) return withStatus("unowned");
  if (row.decision === "dropped" && row.expires < today) return withStatus("expired");
  return withStatus(row.status === "unverified" ? "unverified" : "decided");
}

/** `uses`: the number of lines that use each field, if that is known. */
export function computeCoverage(
  mapping: Mapping,
  today: string,
  uses?: ReadonlyMap<string, number>,
): Coverage {
  const fields = v1Fields.map(({ path, endpoint }): FieldCoverage => {
    const row = mapping.fields[path];
    return {
      path,
      endpoint,
      ...judgeRow(row, today),
      to: row && isMapped(row) ? { endpoint: row.endpoint, path: row.path } : undefined,
      uses: uses ? (uses.get(path) ?? 0) : undefined,
    };
  });
  const coveredBehaviours = behaviours.map(
    ({ id, v1 }): BehaviourCoverage => ({ id, v1, ...judgeRow(mapping.behaviours[id], today) }),
  );
  const counts = Object.fromEntries(
    decisionStatuses.map((name) => [
      name,
      [...fields, ...coveredBehaviours].filter(({ standing }) => standing === name).length,
    ]),
  ) as Record<DecisionStatus, number>;
  const isAllDecided = [...fields, ...coveredBehaviours].every(({ standing }) => isDecided(standing));
  return {
    schema: "v1watch/coverage/1",
    counts,
    isDecided: isAllDecided,
    fields,
    behaviours: coveredBehaviours,
  };
}
