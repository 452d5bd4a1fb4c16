// v1watch drift: every difference from V1's document that was ever seen.
import { describeFinding, describeImpact } from "../assess/alerts/impact.ts";
import { plural } from "../assess/alerts/text.ts";
import { countJudged, type DriftHistory, type DriftRow } from "../assess/drift-history.ts";
import { isMuted } from "../assess/state.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { type Level, levels } from "../records/observation.ts";
import { type Command, choiceOption, exitCodes, fitLines } from "./command.ts";
import { storeHelp, storeOptions, withLedger } from "./open-watch.ts";

type Row = DriftRow & { isMuted: boolean; isCurrent: boolean };

const rank = ({ finding }: DriftRow) => levels.indexOf(finding.level);
const isCurrent = ({ streaks }: DriftRow) =>
  Object.values(streaks).some(({ present, absent }) => present > 0 && absent === 0);
const minute = (instant: string) => instant.slice(0, 16).replace("T", " ");

/** Rows that read alike but for the type that came are one to a person; each keeps its own id. */
function foldRows(rows: readonly Row[]): [Row, ...Row[]][] {
  const folded = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const { finding, isChange, isMuted: muted } = row;
    const key = [finding.level, finding.path, describeFinding(finding), isChange, muted].join(" ");
    const alike = folded.get(key);
    if (alike) alike.push(row);
    else folded.set(key, [row]);
  }
  return [...folded.values()];
}

function renderRows(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(({ finding }) => finding.path.length));
  return foldRows(rows).flatMap((alike) => {
    const [{ finding, isChange, isMuted: muted }] = alike;
    const first = alike.map(({ firstSeen }) => firstSeen).sort()[0]!;
    const last = alike
      .map(({ lastSeen }) => lastSeen)
      .sort()
      .at(-1)!;
    const isNow = alike.some((row) => row.isCurrent);
    const types = alike.length > 1 ? ` (${alike.map((row) => row.finding.observed).join(" or ")})` : "";
    const shares = new Set(alike.map(({ seen, sampleCount }) => `${seen} of ${sampleCount}`));
    const told = [
      isChange ? "change" : "from the start",
      `${minute(first)} to ${isNow ? "now" : minute(last)}`,
      `in ${[...shares].join(" and ")}`,
      ...(muted ? ["muted"] : []),
    ].join(", ");
    const below = [describeImpact(finding), ...alike.map((row) => `id  ${row.finding.id}`)];
    return [
      `  ${finding.level.padEnd(8)}  ${finding.path.padEnd(width)}  ${describeFinding(finding)}${types}  ${told}`,
      ...(finding.level === "breaking" ? below.map((line) => `${" ".repeat(12)}${line}`) : []),
    ];
  });
}

function renderDrift(rows: readonly Row[], ledger: DriftHistory, level: Level | undefined): string {
  const answers = endpointIds.reduce((sum, endpoint) => sum + countJudged(ledger, endpoint), 0);
  const unseen = endpointIds.filter((endpoint) => countJudged(ledger, endpoint) === 0);
  const none = `${level ? `No ${level} difference` : "As documented: no difference"} was ever seen in ${plural(answers, "answer")}.`;
  return [
    ...(rows.length > 0 ? renderRows(rows) : [none]),
    ...(unseen.length > 0 ? [`Not known of ${unseen.join(", ")}: no data was seen there yet.`] : []),
    "",
  ].join("\n");
}

export const drift: Command = {
  name: "drift",
  summary: "the ledger of differences: first seen, last seen, share",
  help: `v1watch drift [--level breaking|additive|notice] [--json]

Every difference from V1's document that was ever seen: since when, until when, in how many responses.
"change" was seen as documented before; "from the start" was different at the first look.
\`v1watch ack\` and \`v1watch mute\` take the id of a difference; --json has those of all.

  --level LEVEL   only these: ${levels.join(", ")}
${storeHelp}

Exit codes: 0 no breaking change now (what was different from the start, or is muted, does not count),
1 some, 2 no answer could be judged yet (or usage).

Example: v1watch drift --level breaking
`,
  options: { ...storeOptions, level: { type: "string" } },
  run: (values, _positionals, io) =>
    withLedger(values, io, async ({ state, store, nowMs }) => {
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
        const told = rows.map(({ streaks: _, ...row }) => row);
        io.out(`${JSON.stringify(told, null, 2)}\n`);
      }
      if (endpointIds.every((endpoint) => countJudged(state.drift, endpoint) === 0)) {
        const looks = plural(state.observations, "look");
        io.err(
          `v1watch: no answer could be judged yet: none of ${looks} brought data of V1. \`v1watch outlook\` says what came.\n`,
        );
        return exitCodes.usage;
      }
      if (!values.json) io.out(fitLines(renderDrift(rows, state.drift, level), io));
      const isBroken = rows.some(
        (row) => row.isCurrent && row.isChange && !row.isMuted && row.finding.level === "breaking",
      );
      return isBroken ? exitCodes.findings : exitCodes.fine;
    }),
};
