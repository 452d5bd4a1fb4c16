import { readGapEvidence } from "../assess/gap-evidence.ts";
import { plural } from "../text.ts";
import { type Command, exitCodes, fitLines } from "./command.ts";
import { openWatch, storeHelp, storeOptions } from "./open-watch.ts";

export const gaps: Command = {
  name: "gaps",
  summary: "list V1's undocumented behaviour and the observations of it",
  help: `v1watch gaps [--json]

Lists each question that V1's document leaves open as open, observed (with numbers and dates) or CHANGED.
Observations are evidence and never become part of the contract.

${storeHelp}

Example: v1watch gaps
`,
  options: storeOptions,
  run: (values, _positionals, io) =>
    openWatch(values, io, ({ state }) => {
      const rows = readGapEvidence(state.evidence);
      if (values.json) {
        io.out(
          `${JSON.stringify({ since: state.firstAt, responses: state.observations, gaps: rows }, null, 2)}\n`,
        );
        return exitCodes.success;
      }
      const width = Math.max(...rows.map(({ question }) => question.length));
      const text = [
        `Undocumented behaviour of V1, observed since ${state.firstAt?.slice(0, 10)} (${plural(state.observations, "check")})`,
        "",
        ...rows.map(
          ({ section, question, status, summary }) =>
            `  ${section.padEnd(4)} ${question.padEnd(width)}  ${status.padEnd(9)} ${summary}`,
        ),
        "",
      ].join("\n");
      io.out(fitLines(text, io));
      return exitCodes.success;
    }),
};
