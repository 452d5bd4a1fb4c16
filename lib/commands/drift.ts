// v1watch drift: lists every observed difference between V1's responses and its document.

import { describeFinding, describeImpact } from "../assess/alerts/impact.ts";
import { countJudged, type DriftHistory, type DriftRow } from "../assess/drift-history.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { isMuted } from "../records/incident.ts";
import { type Level, levels } from "../records/observation.ts";
import { plural } from "../text.ts";
import { type Command, choiceOption, exitCodes, fitLines } from "./command.ts";
import { openWatch, storeHelp, storeOptions } from "./open-watch.ts";

type Row = DriftRow & { isMuted: boolean; isCurrent: boolean };

const rank = ({ finding }: DriftRow) => levels.indexOf(finding.level);
const isCurrent = ({ streaks }: DriftRow) =>
  Object.values(streaks).some(({ present, absent }) => present > 0 && absent === 0);
const minute = (instant: string) => instant.slice(0, 16).replace("T", " ");

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
  const width = Math.max(...rows.map(({ finding }) => finding.path.length));
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
      `${minute(first)} UTC to ${isNow ? "now" : `${minute(last)} UTC`}`,
      `in ${[...shares].join(" and ")}`,
      ...(muted ? ["muted"] : []),
    ].join(", ");
    const below = [describeImpact(finding), ...group.map((row) => `id  ${row.finding.id}`)];
    return [
      `  ${finding.level.padEnd(8)}  ${finding.path.padEnd(width)}  ${describeFinding({ ...finding, observed })}  ${details}`,
      ...(finding.level === "breaking" ? below.map((line) => `${" ".repeat(12)}${line}`) : []),
    ];
  });
}

function renderDrift(rows: readonly Row[], history: DriftHistory, level: Level | undefined): string {
  const responses = endpointIds.reduce((sum, endpoint) => sum + countJudged(history, endpoint), 0);
  const unseen = endpointIds.filter((endpoint) => countJudged(history, endpoint) === 0);
  const none = `${level ? `No ${level} differences` : "As documented: no differences"} in ${plural(responses, "response")}.`;
  return [
    ...(rows.length > 0 ? renderRows(rows) : [none]),
    ...(unseen.length > 0 ? [`Unknown for ${unseen.join(", ")}: no data received yet.`] : []),
    "",
  ].join("\n");
}

export const drift: Command = {
  name: "drift",
  summary: "list the differences from V1's document: first seen, last seen, share of responses",
  help: `v1watch drift [--level breaking|additive|notice] [--json]

Lists every observed difference between V1's responses and its document: first seen, last seen (UTC), and the share
of responses. A "change" was as documented before; the others exist since the first check.
\`v1watch ack\` and \`v1watch mute\` take the id of a difference; --json prints the id of each difference.

  --level LEVEL   only this level: ${levels.join(", ")}
${storeHelp}

Exit codes: 0 no current breaking change (differences since the first check and muted ones do not count),
1 at least one, 2 no response could be validated yet, or usage error.

Example: v1watch drift --level breaking
`,
  options: { ...storeOptions, level: { type: "string" } },
  run: (values, _positionals, io) =>
    openWatch(values, io, async ({ state, store, nowMs }) => {
      const level =
        values.level === undefined ? undefined : choiceOption(values, "level", "breaking", levels);
      const decisions = await store.ledger.decisions();
      const rows = Object.values(state.drift.rows)
        .filter(({ finding }) => level === undefined || finding.level === level)
        .map((row) => ({
          ...row,
          isMuted: isMuted(decisions, row.finding.id, nowMs),
          isCurrent: isCurrent(row),
        }))
        .sort(
          (a, b) =>
            rank(a) - rank(b) ||
            Number(b.isChange) - Number(a.isChange) ||
            (a.finding.id < b.finding.id ? -1 : 1),
        );
      if (values.json) {
        const json = rows.map(({ streaks: _, ...row }) => row);
        io.out(`${JSON.stringify(json, null, 2)}\n`);
      }
      if (endpointIds.every((endpoint) => countJudged(state.drift, endpoint) === 0)) {
        const checks = plural(state.observations, "check");
        io.err(
          `v1watch: no response could be validated yet: none of ${checks} returned V1 data. Run \`v1watch outlook\` for the reasons.\n`,
        );
        return exitCodes.usage;
      }
      if (!values.json) io.out(fitLines(renderDrift(rows, state.drift, level), io));
      const isBroken = rows.some(
        (row) => row.isCurrent && row.isChange && !row.isMuted && row.finding.level === "breaking",
      );
      return isBroken ? exitCodes.findings : exitCodes.success;
    }),
};
