// How far a mapping has come: for every field and behaviour of V1, whether somebody has decided.

import type { EndpointId } from "../contract/endpoints.ts";
import type { BehaviourRow, Decision, FieldRow, Mapping } from "../records/mapping.ts";
import { type BehaviourId, behaviours, isPlaced, v1Fields } from "./fields.ts";
import { unassigned } from "./starter.ts";

/** `unverified` is a decision that nobody has checked; `expired` and `unowned` are drops that are none. */
export const standings = ["decided", "unverified", "undecided", "expired", "unowned"] as const;
export type Standing = (typeof standings)[number];

type Judged = { decision: Decision; standing: Standing; note?: string };
export type CoveredField = Judged & {
  path: string;
  endpoint: EndpointId;
  /** In V2. */
  to?: { endpoint: string; path: string };
};
export type CoveredBehaviour = Judged & { id: BehaviourId; v1: string };

export type Coverage = {
  schema: "v1watch/coverage/1";
  counts: Record<Standing, number>;
  isDecided: boolean;
  fields: CoveredField[];
  behaviours: CoveredBehaviour[];
};

/** `today` as 2027-03-31; the day of expiry itself still counts. */
function judge(row: FieldRow | BehaviourRow | undefined, today: string): Judged {
  const note = row?.note === undefined ? {} : { note: row.note };
  const of = (standing: Standing) => ({ decision: row?.decision ?? "undecided", standing, ...note });
  if (!row || row.decision === "undecided") return of("undecided");
  if (row.decision === "dropped" && row.owner === unassigned) return of("unowned");
  if (row.decision === "dropped" && row.expires < today) return of("expired");
  return of(row.status === "unverified" ? "unverified" : "decided");
}

export function coverMapping(mapping: Mapping, today: string): Coverage {
  const fields = v1Fields.map(({ path, endpoint }): CoveredField => {
    const row = mapping.fields[path];
    const to = row && isPlaced(row) ? { to: { endpoint: row.endpoint, path: row.path } } : {};
    return { path, endpoint, ...judge(row, today), ...to };
  });
  const covered = behaviours.map(
    ({ id, v1 }): CoveredBehaviour => ({ id, v1, ...judge(mapping.behaviours[id], today) }),
  );
  const counts = Object.fromEntries(
    standings.map((name) => [
      name,
      [...fields, ...covered].filter(({ standing }) => standing === name).length,
    ]),
  ) as Record<Standing, number>;
  const isDecided = counts.undecided + counts.expired + counts.unowned === 0;
  return { schema: "v1watch/coverage/1", counts, isDecided, fields, behaviours: covered };
}
