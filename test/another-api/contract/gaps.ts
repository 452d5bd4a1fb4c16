import type { GapColumns } from "../../../lib/contract/columns.ts";

export const gapIds = ["draught", "nulls", "removal"] as const;

export const gaps: readonly (GapColumns & { id: (typeof gapIds)[number] })[] = [
  { id: "draught", section: "2.1", question: "Which range does draught_cm have?", evidence: "numbers" },
  { id: "nulls", section: "2.1", question: "Which other fields can be null?", evidence: "nulls" },
  { id: "removal", section: "4", question: "When will the second edition be removed?", evidence: "notices" },
];
