// A readiness as people read it in a terminal: the verdict, what holds us, then every gate.
import { printable } from "../config.ts";
import type { Gate, Readiness } from "../migration/readiness.ts";

const words = { pass: "pass", fail: "FAIL", unknown: "unknown" } as const;

function renderBlocker({ title, evidence, owners, next, places }: Gate, index: number): string[] {
  const line = (name: string, text: string) => `     ${name.padEnd(6)} ${printable(text)}`;
  return [
    `  ${index + 1}. ${title}`,
    ...evidence.map((text) => `     ${printable(text)}`),
    line("owner", owners.length > 0 ? owners.join(", ") : "nobody named"),
    line("next", next),
    ...(places.length > 0
      ? [
          line(
            "at",
            places
              .slice(0, 3)
              .map(({ file, line: at }) => `${file}:${at}`)
              .join(", "),
          ),
        ]
      : []),
    "",
  ];
}

export function renderReadiness(
  { verdict, sentence, gates, blockers }: Readiness,
  monitor: { isHealthy: boolean; says: string },
): string {
  const width = Math.max(...gates.map(({ title }) => title.length));
  return [
    `${verdict.toUpperCase()} · ${sentence}`,
    ...(monitor.isHealthy ? [] : [`MONITOR UNHEALTHY · ${printable(monitor.says)}`]),
    "",
    ...(blockers.length > 0 ? ["What holds us", "", ...blockers.flatMap(renderBlocker)] : []),
    "Gates",
    "",
    ...gates.map(
      ({ state, title, evidence }) =>
        `  ${words[state].padEnd(7)}  ${title.padEnd(width)}  ${printable(evidence.join("; "))}`,
    ),
    "",
  ].join("\n");
}
