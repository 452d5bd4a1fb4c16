// Every observed difference between V1's responses and its document.

import { describeFinding, describeImpact } from "../../assess/alerts/impact.ts";
import { countJudged, type DriftHistory, type DriftRow, isPresent } from "../../assess/drift-history.ts";
import type { AssessState } from "../../assess/state.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { isMuted } from "../../records/incident.ts";
import { type Level, levels } from "../../records/observation.ts";
import { plural } from "../../text.ts";
import { momentText } from "../../time.ts";
import type { AssessedWatch } from "../open-watch.ts";

type Row = DriftRow & { isMuted: boolean; isCurrent: boolean };

const rank = ({ finding }: DriftRow) => levels.indexOf(finding.level);

/** Groups unlisted fields that differ only in the observed type. They are printed as one line; each keeps its own id. */
function groupRows(rows: readonly Row[]): [Row, ...Row[]][] {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const { finding, isChange, isMuted: muted } = row;
    // A field that is not in the document is no change where it comes with another type than at first.
    const difference = finding.kind === "extra" ? "extra" : `${describeFinding(finding)} ${isChange}`;
    const key = [finding.level, finding.path, difference, muted].join(" ");
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

function renderRows(rows: readonly Row[]): string[] {
  return groupRows(rows).flatMap((group) => {
    const [{ finding, isMuted: muted }] = group;
    const isChange = group.every((row) => row.isChange);
    const first = group.map(({ firstSeen }) => firstSeen).sort()[0]!;
    const last = group
      .map(({ lastSeen }) => lastSeen)
      .sort()
      .at(-1)!;
    const isNow = group.some((row) => row.isCurrent);
    const observed = group.map((row) => row.finding.observed).join(" or ");
    const shares = new Set(group.map(({ seen, sampleCount }) => `${seen} of ${sampleCount}`));
    const details = [
      isChange ? "change" : "since the first check",
      `${momentText(first)} to ${isNow ? "now" : momentText(last)}`,
      `in ${[...shares].join(" and ")}`,
      ...(muted ? ["muted"] : []),
    ].join(", ");
    const below = [describeImpact(finding), ...group.map((row) => `id  ${row.finding.id}`)];
    return [
      `  ${finding.level}\t${finding.path}\t${describeFinding({ ...finding, observed })}\t${details}`,
      ...(finding.level === "breaking" ? below.map((line) => `\t${line}`) : []),
    ];
  });
}

export function renderDrift(rows: readonly Row[], history: DriftHistory, level: Level | undefined): string {
  const responses = endpointIds.reduce((sum, endpoint) => sum + countJudged(history, endpoint), 0);
  const unseen = endpointIds.filter((endpoint) => countJudged(history, endpoint) === 0);
  const none = `${level ? `No ${level} differences` : "As documented: no differences"} in ${plural(responses, "response")}.`;
  return [
    ...(rows.length > 0 ? renderRows(rows) : responses > 0 ? [none] : []),
    ...(unseen.length > 0 ? [`Unknown for ${unseen.join(", ")}: no data received yet.`] : []),
    "",
  ].join("\n");
}

export async function readDrift({ state, watch, nowMs }: AssessedWatch, level?: Level): Promise<Row[]> {
  const decisions = await watch.ledger.decisions();
  return Object.values(state.drift.rows)
    .filter(({ finding }) => level === undefined || finding.level === level)
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
}

export const driftJson = (rows: readonly Row[]) => rows.map(({ streaks: _, ...row }) => row);

export const isJudged = ({ drift }: AssessState) =>
  endpointIds.some((endpoint) => countJudged(drift, endpoint) > 0);

/** A difference since the first check and a muted one do not count. */
export const isBroken = (rows: readonly Row[]) =>
  rows.some((row) => row.isCurrent && row.isChange && !row.isMuted && row.finding.level === "breaking");

export function summariseDrift(rows: readonly Row[], { drift }: AssessState): string {
  if (rows.length === 0) return renderDrift(rows, drift, undefined);
  const counts = levels.flatMap((level) => {
    const count = rows.filter(({ finding }) => finding.level === level).length;
    return count > 0 ? [`${count} ${level}`] : [];
  });
  const changes = rows.filter((row) => row.isChange && row.isCurrent);
  return [`Drift: ${counts.join(", ")}.`, ...(changes.length > 0 ? renderRows(changes) : []), ""].join("\n");
}
