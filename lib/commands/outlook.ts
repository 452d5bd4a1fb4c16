// v1watch outlook: prints the risk that V1 is retired, with the reasons.
import type { Outlook } from "../assess/outlook/outlook.ts";
import { type Command, exitCodes, fitLines } from "./command.ts";
import { openWatch, storeHelp, storeOptions } from "./open-watch.ts";

/** The risk level as people read it. The JSON output keeps the level's id. */
export const riskLabels: Record<Outlook["level"], string> = {
  calm: "low",
  watch: "elevated",
  warning: "high",
  imminent: "imminent",
  retired: "retired",
  unknown: "unknown",
};

function renderOutlook({ level, headline, reasons, next }: Outlook): string {
  const list = (name: string, lines: readonly string[]) =>
    lines.map((line, index) => `  ${(index === 0 ? name : "").padEnd(7)}  ${line}`);
  return [
    `Retirement risk: ${riskLabels[level]} · ${headline}`,
    "",
    ...list("reasons", reasons),
    ...(next ? list("next", [next.text]) : []),
    "",
  ].join("\n");
}

export const outlook: Command = {
  name: "outlook",
  summary: "show the retirement risk of V1, with the reasons",
  help: `v1watch outlook [--json]

Prints the retirement risk of V1 (low, elevated, high, imminent, retired) with the reasons. The risk is unknown until
V1 has returned data or a retirement signal. In JSON the levels are calm, watch, warning, imminent, retired, unknown.

${storeHelp}

Exit codes: 0 low or elevated, 1 high, imminent or retired, 2 unknown, or usage error.

Example: v1watch outlook --json
`,
  options: storeOptions,
  run: (values, _positionals, io) =>
    openWatch(values, io, ({ outlook: current }) => {
      if (!current) return exitCodes.usage;
      io.out(values.json ? `${JSON.stringify(current, null, 2)}\n` : fitLines(renderOutlook(current), io));
      if (current.level === "unknown") return exitCodes.usage;
      return current.level === "calm" || current.level === "watch" ? exitCodes.success : exitCodes.findings;
    }),
};
