// The retirement risk of V1, with its reasons.
import type { Outlook } from "../../assess/outlook.ts";
import { exitCodes } from "../command.ts";

export function renderRisk({ level, headline, reasons, next }: Outlook): string {
  const list = (name: string, lines: readonly string[]) =>
    lines.map((line, index) => `  ${index === 0 ? name : ""}\t${line}`);
  return [
    `Retirement risk: ${level} · ${headline}`,
    "",
    ...list("reasons", reasons),
    ...(next ? list("next", [next.text]) : []),
    "",
  ].join("\n");
}

export function riskCode({ level }: Outlook): number {
  if (level === "unknown") return exitCodes.usage;
  return level === "low" || level === "elevated" ? exitCodes.success : exitCodes.findings;
}
