import type { Outlook } from "../assess/outlook.ts";
import { type Command, exitCodes, fitLines } from "./command.ts";
import { openWatch, storeHelp, storeOptions } from "./open-watch.ts";

function renderOutlook({ level, headline, reasons, next }: Outlook): string {
  const list = (name: string, lines: readonly string[]) =>
    lines.map((line, index) => `  ${(index === 0 ? name : "").padEnd(7)}  ${line}`);
  return [
    `Retirement risk: ${level} · ${headline}`,
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
V1 has returned data or a retirement signal.

${storeHelp}

Exit codes: 0 low or elevated, 1 high, imminent or retired, 2 unknown, or usage error.

Example: v1watch outlook --json
`,
  options: storeOptions,
  run: (values, _positionals, io) =>
    openWatch(values, io, ({ outlook: current }) => {
      io.out(values.json ? `${JSON.stringify(current, null, 2)}\n` : fitLines(renderOutlook(current), io));
      if (current.level === "unknown") return exitCodes.usage;
      return current.level === "low" || current.level === "elevated" ? exitCodes.success : exitCodes.findings;
    }),
};
