// v1watch drift: every difference from V1's document that was ever seen.
import { describeFinding, explainFinding } from "../assess/consequences.ts";
import type { DriftRow } from "../assess/drift-ledger.ts";
import { isMuted } from "../assess/state.ts";
import { levels } from "../records/observation.ts";
import { type Command, choiceOption, exitCodes } from "./command.ts";
import { storeHelp, storeOptions, withLedger } from "./ledger.ts";

const rank = ({ finding }: DriftRow) => levels.indexOf(finding.level);
const isCurrent = ({ streaks }: DriftRow) =>
  Object.values(streaks).some(({ present, absent }) => present > 0 && absent === 0);

export const drift: Command = {
  name: "drift",
  summary: "the ledger of differences: first seen, last seen, share",
  help: `v1watch drift [--level breaking|additive|notice] [--json]

Every difference from V1's document that was ever seen: since when, until when, in how many responses.
"change" was seen as documented before; "from the start" was different at the first look.

  --level LEVEL   only these: ${levels.join(", ")}
${storeHelp}

Exit codes: 0 no breaking change now, 1 some, 2 usage.

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
        io.out(
          `${JSON.stringify(
            rows.map(({ streaks: _, ...row }) => row),
            null,
            2,
          )}\n`,
        );
      } else if (rows.length === 0) io.out("As documented: no difference was ever seen.\n");
      else {
        const width = Math.max(...rows.map(({ finding }) => finding.path.length));
        for (const row of rows) {
          const { finding, firstSeen, lastSeen, seen, chances } = row;
          const when = `${firstSeen.slice(0, 16).replace("T", " ")} to ${row.isCurrent ? "now" : lastSeen.slice(0, 16).replace("T", " ")}`;
          const kind = row.isChange ? "change" : "from the start";
          io.out(
            `  ${finding.level.padEnd(8)}  ${finding.path.padEnd(width)}  ${describeFinding(finding)}  ${kind}, ${when}, in ${seen} of ${chances}${row.isMuted ? ", muted" : ""}\n`,
          );
          if (finding.level === "breaking") io.out(`${" ".repeat(12)}${explainFinding(finding)}\n`);
        }
      }
      const isBroken = rows.some(
        (row) => row.isCurrent && row.isChange && !row.isMuted && row.finding.level === "breaking",
      );
      return isBroken ? exitCodes.findings : exitCodes.fine;
    }),
};
