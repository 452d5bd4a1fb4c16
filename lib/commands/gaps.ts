// v1watch gaps: what V1's document does not say, and what we have seen of it.

import { plural } from "../assess/alerts/text.ts";
import { readGapEvidence } from "../assess/gap-evidence.ts";
import { type Command, exitCodes, fitLines } from "./command.ts";
import { storeHelp, storeOptions, withLedger } from "./open-watch.ts";

export const gaps: Command = {
  name: "gaps",
  summary: "what V1's document does not say, and what was seen",
  help: `v1watch gaps [--json]

Each "not shown" of V1's document as open, observed (with numbers and dates) or CHANGED. What is seen is
evidence: it never becomes a part of the contract.

${storeHelp}

Example: v1watch gaps
`,
  options: storeOptions,
  run: (values, _positionals, io) =>
    withLedger(values, io, ({ state }) => {
      const rows = readGapEvidence(state.evidence);
      if (values.json) {
        io.out(
          `${JSON.stringify({ since: state.firstAt, responses: state.observations, gaps: rows }, null, 2)}\n`,
        );
        return exitCodes.fine;
      }
      const width = Math.max(...rows.map(({ question }) => question.length));
      const text = [
        `What V1's document does not say, and what we have seen since ${state.firstAt?.slice(0, 10)} (${plural(state.observations, "look")})`,
        "",
        ...rows.map(
          ({ section, question, status, summary }) =>
            `  ${section.padEnd(4)} ${question.padEnd(width)}  ${status.padEnd(9)} ${summary}`,
        ),
        "",
      ].join("\n");
      io.out(fitLines(text, io));
      return exitCodes.fine;
    }),
};
