// The differences between V1's responses and its document.

import { countJudged, type DriftRow, isPresent, readJudged } from "../../assess/drift-history.ts";
import type { AssessState } from "../../assess/state.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { type Decision, isMuted } from "../../records/incident.ts";
import { levels } from "../../records/observation.ts";
import type { Block } from "../../report/document.ts";
import { buildDriftRows } from "../../report/model/drift.ts";
import { composeDrift, driftTable } from "../../report/sections/observed.ts";
import type { AssessedWatch } from "../open-watch.ts";

type Row = DriftRow & { isMuted: boolean; isCurrent: boolean };

const rank = ({ finding }: DriftRow) => levels.indexOf(finding.level);

/** As JSON shows them. */
export const readDrift = ({ state, nowMs }: AssessedWatch, decisions: readonly Decision[]): Row[] =>
  Object.values(state.drift.rows)
    .map((row) => ({
      ...row,
      isMuted: isMuted(decisions, row.finding.id, nowMs),
      isCurrent: isPresent(row),
    }))
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        Number(b.isChange) - Number(a.isChange) ||
        (a.finding.id < b.finding.id ? -1 : 1),
    );

export const driftJson = (rows: readonly Row[]) => rows.map(({ streaks: _, ...row }) => row);

export const isJudged = ({ drift }: AssessState) =>
  endpointIds.some((endpoint) => countJudged(drift, endpoint) > 0);

/** A difference since the first check and a muted one do not count. */
export const isBroken = (rows: readonly Row[]) =>
  rows.some((row) => row.isCurrent && row.isChange && !row.isMuted && row.finding.level === "breaking");

export function composeDriftOf({ state, nowMs }: AssessedWatch, decisions: readonly Decision[]): Block[] {
  const drift = buildDriftRows(state, decisions, [], nowMs);
  return composeDrift({ drift, consumers: null }, readJudged(state.drift));
}

/** The number of differences, and those that are changes. */
export function summariseDrift({ state, nowMs }: AssessedWatch, decisions: readonly Decision[]): Block[] {
  const drift = buildDriftRows(state, decisions, [], nowMs);
  const [says] = composeDrift({ drift, consumers: null }, readJudged(state.drift));
  const changes = drift.filter(({ isChange, isCurrent }) => isChange && isCurrent);
  return [...(says ? [says] : []), ...(changes.length > 0 ? driftTable(changes, false) : [])];
}
