// v1watch outlook: how long V1 may still live, and why we think so.
import type { Outlook } from "../assess/outlook/outlook.ts";
import { type Command, exitCodes, fitLines } from "./command.ts";
import { storeHelp, storeOptions, withLedger } from "./open-watch.ts";

export function renderOutlook({ level, headline, reasons, next }: Outlook): string {
  const list = (name: string, lines: readonly string[]) =>
    lines.map((line, index) => `  ${(index === 0 ? name : "").padEnd(4)}  ${line}`);
  return [
    `${level.toUpperCase()} · ${headline}`,
    "",
    ...list("why", reasons),
    ...(next ? list("next", [next.text]) : []),
    "",
  ].join("\n");
}

export const outlook: Command = {
  name: "outlook",
  summary: "how long V1 may still live, and why",
  help: `v1watch outlook [--json]

One judgement on V1's end (calm, watch, warning, imminent, retired) with its reasons; unknown until V1
has shown data or a sign of its end.

${storeHelp}

Exit codes: 0 calm or watch, 1 warning or worse, 2 unknown (or usage).

Example: v1watch outlook --json
`,
  options: storeOptions,
  run: (values, _positionals, io) =>
    withLedger(values, io, ({ outlook: known }) => {
      if (!known) return exitCodes.usage;
      io.out(values.json ? `${JSON.stringify(known, null, 2)}\n` : fitLines(renderOutlook(known), io));
      if (known.level === "unknown") return exitCodes.usage;
      return known.level === "calm" || known.level === "watch" ? exitCodes.fine : exitCodes.findings;
    }),
};
