// The questions that the API's document leaves open, by id and by the evidence that answers them.
import type { EvidenceKind, GapColumns } from "./columns.ts";
import { gapIds, gaps as table } from "./v1/gaps.ts";

export type { EvidenceKind } from "./columns.ts";
export { gapIds };
export type GapId = (typeof gapIds)[number];
export type Gap = GapColumns & { id: GapId };

export const gaps: readonly Gap[] = table;

/** The gap that a kind of evidence answers; undefined where the document leaves no such question open. */
export const gapOf = (evidence: EvidenceKind): GapId | undefined =>
  gaps.find((gap) => gap.evidence === evidence)?.id;
