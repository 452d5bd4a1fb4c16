// The drift history as rows for people: what differs, since when, how often, and what it means for a consumer.
import { describeImpact } from "../../assess/alerts/impact.ts";
import type { DriftRow } from "../../assess/drift-history.ts";
import type { AssessState } from "../../assess/state.ts";
import type { Finding, Level } from "../../records/observation.ts";
import { levels } from "../../records/observation.ts";
import type { DriftView } from "../server/api-schemas.ts";

/** Seen in the latest response that could have shown it. */
const isPresent = ({ streaks }: DriftRow) =>
  Object.values(streaks).some(({ present, absent }) => present > 0 && absent === 0);

export const presentRows = (state: AssessState, level: Level): DriftRow[] =>
  Object.values(state.drift.rows).filter((row) => row.finding.level === level && isPresent(row));

export function describeChange({ kind, expected, observed }: Finding): string {
  switch (kind) {
    case "missing":
      return "missing";
    case "extra":
      return "not in the document";
    case "null":
      return "null; the document does not say whether it may be";
    case "new-value":
      return `a value that the document does not name: ${observed}`;
    default:
      return `${expected} → ${observed}`;
  }
}

/** Present and breaking first, then by when they were last seen. */
export function readDrift(state: AssessState): DriftView[] {
  const views = Object.values(state.drift.rows).map((row): DriftView => {
    const { finding, endpoint, firstSeen, lastSeen, seen, sampleCount, isChange } = row;
    const { id, path, kind, level, count, of } = finding;
    return {
      ...{ id, endpoint, path, kind, level, count, of, firstSeen, lastSeen, seen, sampleCount, isChange },
      change: describeChange(finding),
      isPresent: isPresent(row),
      means: describeImpact(finding),
    };
  });
  const rank = (view: DriftView) => (view.isPresent ? 0 : 10) + levels.indexOf(view.level);
  return views.sort(
    (a, b) => rank(a) - rank(b) || (a.lastSeen < b.lastSeen ? 1 : -1) || (a.id < b.id ? -1 : 1),
  );
}
