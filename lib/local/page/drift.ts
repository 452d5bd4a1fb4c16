// The drift history as table rows: each difference, when and how often it was observed, and its impact on consumers.
import { describeFinding, describeImpact } from "../../assess/alerts/impact.ts";
import type { DriftRow } from "../../assess/drift-history.ts";
import type { AssessState } from "../../assess/state.ts";
import type { Level } from "../../records/observation.ts";
import { levels } from "../../records/observation.ts";
import type { DriftView } from "../server/api-schemas.ts";

/** Observed in the latest response that contained the field's parent object. */
const isPresent = ({ streaks }: DriftRow) =>
  Object.values(streaks).some(({ present, absent }) => present > 0 && absent === 0);

export const presentRows = (state: AssessState, level: Level): DriftRow[] =>
  Object.values(state.drift.rows).filter((row) => row.finding.level === level && isPresent(row));

/** Present and breaking differences first, then by the time of the last observation. */
export function readDrift(state: AssessState): DriftView[] {
  const views = Object.values(state.drift.rows).map((row): DriftView => {
    const { finding, endpoint, firstSeen, lastSeen, seen, sampleCount, isChange } = row;
    const { id, path, kind, level, count, of } = finding;
    return {
      ...{ id, endpoint, path, kind, level, count, of, firstSeen, lastSeen, seen, sampleCount, isChange },
      change: describeFinding(finding),
      isPresent: isPresent(row),
      means: describeImpact(finding),
    };
  });
  const rank = (view: DriftView) => (view.isPresent ? 0 : 10) + levels.indexOf(view.level);
  return views.sort(
    (a, b) => rank(a) - rank(b) || (a.lastSeen < b.lastSeen ? 1 : -1) || (a.id < b.id ? -1 : 1),
  );
}
