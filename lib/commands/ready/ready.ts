// v1watch ready: evaluates whether the migration from V1 to V2 is complete, for people and for CI.

import { printable } from "../../config/config.ts";
import { mappingFileName } from "../../mapping/mapping.ts";
import { type Gate, judgeReadiness, type Readiness, type Verdict } from "../../readiness/readiness.ts";
import type { ReadinessOutput } from "../../records/outputs.ts";
import type { Report } from "../../records/report.ts";
import { joinFacts } from "../../report/model.ts";
import { type Command, exitCodes, fitLines } from "../command.ts";
import { storeHelp, storeOptions } from "../open-watch.ts";
import { writeTextFile } from "../output-file.ts";
import { readTeamInput, teamFileHelp, teamFileOptions } from "./files.ts";
import { renderGithub, renderJunit, renderSarif } from "./formats.ts";
import { inspectWatch } from "./watch.ts";

/** This command has exit codes of its own, so that CI can distinguish "not ready", "unknown" and "monitor unhealthy". */
const readyCodes: Record<Verdict, number> = { ready: 0, "not ready": 1, unknown: 2 };
const unhealthyCode = exitCodes.internalError;

const help = `v1watch ready [--mapping FILE] [--inventory FILE] [--parity FILE] [--store FILE] [options]

Combines the time left until V1's retirement, V1 usage in your code, the mapping of each used field to V2 and the
parity result. Prints ten gates, each pass, fail or unknown with its evidence, and the three main blockers.

${teamFileHelp}
  --junit FILE            also write JUnit XML
  --sarif FILE            also write SARIF 2.1, with the source line of the consumer or the mapping
  --github                also print GitHub workflow annotations
${storeHelp}

Exit codes: 0 ready, 1 not ready, 2 insufficient evidence or usage error, 3 the monitor is unhealthy (its store is
missing, unreadable or has no recent observations, so its data may be outdated) or internal error.

Example:
  v1watch ready --github --sarif ready.sarif
`;

export const ready: Command = {
  name: "ready",
  summary: "evaluate whether the migration from V1 is complete, and list the blockers",
  help,
  options: {
    ...storeOptions,
    ...teamFileOptions,
    junit: { type: "string" },
    sarif: { type: "string" },
    github: { type: "boolean" },
  },
  async run(values, _positionals, io) {
    const nowMs = Date.now();
    const team = await readTeamInput(values, nowMs);
    return inspectWatch(values, io, nowMs, async ({ watch, monitor }) => {
      const facts = joinFacts({ nowMs, ...team, proof: watch?.proof }, watch);
      const readiness = judgeReadiness(facts);
      if (typeof values.junit === "string") await writeTextFile(values.junit, renderJunit(readiness));
      if (typeof values.sarif === "string")
        await writeTextFile(values.sarif, renderSarif(readiness, team.mapping?.file ?? mappingFileName));
      if (values.json) {
        const json: ReadinessOutput = { schema: "v1watch/readiness/1", ...readiness, monitor };
        io.out(`${JSON.stringify(json, null, 2)}\n`);
      } else {
        io.out(fitLines(renderReadiness(readiness, monitor), io));
        if (values.github) io.out(renderGithub(readiness));
      }
      return monitor.isHealthy ? readyCodes[readiness.verdict] : unhealthyCode;
    });
  },
};

const stateLabels = { pass: "pass", fail: "FAIL", unknown: "unknown" } as const;

function renderBlocker({ title, evidence, owners, next, passesWhen, places }: Gate, index: number): string[] {
  const line = (name: string, text: string) => `     ${name.padEnd(6)} ${printable(text)}`;
  return [
    `  ${index + 1}. ${title}`,
    ...evidence.map((text) => `     ${printable(text)}`),
    line("owner", owners.length > 0 ? owners.join(", ") : "none"),
    line("next", next),
    line("passes", `when ${passesWhen}`),
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

/** The verdict, the blockers, then all gates. */
function renderReadiness(
  { verdict, sentence, gates, blockers }: Readiness,
  monitor: Report["monitor"],
): string {
  const width = Math.max(...gates.map(({ title }) => title.length));
  return [
    `${verdict.toUpperCase()} · ${sentence}`,
    ...(monitor.warning === undefined ? [] : [`WARNING · ${printable(monitor.warning)}`]),
    ...(monitor.isHealthy ? [] : [`MONITOR UNHEALTHY · ${printable(monitor.says)}`]),
    "",
    ...(blockers.length > 0 ? ["Blockers", "", ...blockers.flatMap(renderBlocker)] : []),
    "Gates",
    "",
    ...gates.map(
      ({ state, title, evidence }) =>
        `  ${stateLabels[state].padEnd(7)}  ${title.padEnd(width)}  ${printable(evidence.join("; "))}`,
    ),
    "",
  ].join("\n");
}
