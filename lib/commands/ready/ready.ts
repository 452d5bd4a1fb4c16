// v1watch ready: can we leave V1? For a person, and for a pipeline that asks.

import { printable } from "../../config/config.ts";
import { mappingFileName } from "../../mapping/mapping.ts";
import { type Gate, judgeReadiness, type Readiness, type Verdict } from "../../readiness/readiness.ts";
import { joinFacts } from "../../report/model.ts";
import { type Command, exitCodes, fitLines } from "../command.ts";
import { storeHelp, storeOptions } from "../open-watch.ts";
import { writeText } from "../output-file.ts";
import { givenHelp, givenOptions, readFiles } from "./files.ts";
import { renderGithub, renderJunit, renderSarif } from "./formats.ts";
import { withWatch } from "./watch.ts";

/** Of this command alone: a pipeline tells "no" from "not known" from "the watch is ill". */
const readyCodes: Record<Verdict, number> = { ready: 0, "not ready": 1, unknown: 2 };
const unhealthyCode = exitCodes.fault;

const help = `v1watch ready [--mapping FILE] [--inventory FILE] [--parity FILE] [--store FILE] [options]

Joins V1's remaining life, what your code uses of V1, where each used field goes in V2 and whether V2
agrees: nine gates, each pass, fail or unknown with its evidence, and the three blockers that matter most.

${givenHelp}
  --junit FILE            also as JUnit XML
  --sarif FILE            also as SARIF 2.1, with the consumer's or the mapping's line
  --github                also as annotations of a GitHub workflow
${storeHelp}

Exit codes: 0 ready, 1 not ready, 2 insufficient evidence (or usage), 3 the monitor is unhealthy: its
store is absent, broken or silent, so what it says may be old.

Example:
  v1watch ready --github --sarif ready.sarif
`;

export const ready: Command = {
  name: "ready",
  summary: "can we leave V1, and what still holds us",
  help,
  options: {
    ...storeOptions,
    ...givenOptions,
    junit: { type: "string" },
    sarif: { type: "string" },
    github: { type: "boolean" },
  },
  async run(values, _positionals, io) {
    const nowMs = Date.now();
    const given = await readFiles(values, nowMs);
    return withWatch(values, io, nowMs, async ({ watch, monitor }) => {
      const facts = joinFacts({ nowMs, ...given, proof: watch?.proof }, watch);
      const readiness = judgeReadiness(facts);
      if (typeof values.junit === "string") await writeText(values.junit, renderJunit(readiness));
      if (typeof values.sarif === "string")
        await writeText(values.sarif, renderSarif(readiness, given.mapping?.file ?? mappingFileName));
      if (values.json) {
        const told = { schema: "v1watch/readiness/1", ...readiness, monitor };
        io.out(`${JSON.stringify(told, null, 2)}\n`);
      } else {
        io.out(fitLines(renderReadiness(readiness, monitor), io));
        if (values.github) io.out(renderGithub(readiness));
      }
      return monitor.isHealthy ? readyCodes[readiness.verdict] : unhealthyCode;
    });
  },
};

// A readiness as people read it in a terminal: the verdict, what holds us, then every gate.
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
