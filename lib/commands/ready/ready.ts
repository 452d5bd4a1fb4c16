// v1watch ready: evaluates whether the migration from V1 to V2 is complete, for people and for CI.

import { mappingFileName } from "../../mapping/mapping.ts";
import type { Readiness, Verdict } from "../../readiness/readiness.ts";
import type { ReadinessOutput } from "../../records/outputs.ts";
import type { Report } from "../../records/report.ts";
import { type Section, sentence } from "../../report/document.ts";
import { judgeInput } from "../../report/model.ts";
import { composeBlockers, composeUnknown } from "../../report/sections/first-page.ts";
import { composeGates } from "../../report/sections/observed.ts";
import { renderText } from "../../report/text.ts";
import { defineCommand, exitCodes, text as textOption } from "../command.ts";
import { print, printJson } from "../layout.ts";
import { textIo, writeOutput } from "../output-file.ts";
import { at, json, sarif, teamOptions, watchOptions } from "../shared-options.ts";
import { renderSarif } from "./formats.ts";
import { renderJunit } from "./junit.ts";
import { inspectWatch, readJudgedInput } from "./watch.ts";

/** This command has exit codes of its own, so that CI can distinguish "not ready", too little evidence, and a V1 that nobody watches. */
const readyCodes: Record<Verdict, number> = { ready: 0, "not ready": 1, unknown: 2 };
const unhealthyCode = exitCodes.internalError;

export const ready = defineCommand({
  description:
    "Prints the gates, each pass, fail or unknown, with the evidence, and every blocker with its owner and next step. The gates combine the time left, your code's use of V1, the mapping of each used field, parity and the rehearsal.",
  options: {
    ...teamOptions,
    sarif: sarif("with the source line of the consumer or the mapping"),
    junit: textOption(
      "<FILE>",
      "also write the gates as test cases in JUnit's XML, for CI systems; - is standard output",
    ),
    ...watchOptions,
    at,
    json,
  },
  notes: [
    "Exit codes: 0 ready, 1 not ready, 2 insufficient evidence or usage error, 3 V1 is unknown (the store is missing or unreadable, or no recent check shows how V1 is) or internal error.",
    "Example: v1watch ready --sarif ready.sarif --junit ready.xml",
  ],
  async run(values, _positionals, io) {
    const nowMs = values.at ?? Date.now();
    const text = textIo(io, values.sarif, values.junit);
    return inspectWatch(values, io, nowMs, async (inspection) => {
      const { monitor } = inspection;
      const { facts, readiness } = judgeInput(await readJudgedInput(inspection, values, nowMs));
      if (values.sarif !== undefined)
        await writeOutput(values.sarif, renderSarif(readiness, facts.mapping?.file ?? mappingFileName), io);
      if (values.junit !== undefined) await writeOutput(values.junit, renderJunit(readiness, monitor), io);
      if (values.json) {
        const output: ReadinessOutput = { schema: "v1watch/readiness/1", ...readiness, monitor };
        printJson(text, output);
      } else print(text, renderText(composeReadiness(readiness, monitor)));
      return monitor.isHealthy ? readyCodes[readiness.verdict] : unhealthyCode;
    });
  },
});

/** The verdict, the blockers, what is not known, then all gates. */
function composeReadiness(
  { verdict, sentence: says, gates, blockers }: Readiness,
  monitor: Report["monitor"],
): Section[] {
  const unknown = gates.filter(({ state }) => state === "unknown");
  return [
    {
      title: "",
      blocks: [
        `${verdict.toUpperCase()} · ${says}`,
        ...(monitor.warning === undefined ? [] : [`WARNING · ${monitor.warning}`]),
        ...(monitor.isHealthy ? [] : [`V1 UNKNOWN · ${monitor.says}`]),
      ].map(sentence),
    },
    ...(blockers.length > 0 ? [composeBlockers(blockers)] : []),
    ...(unknown.length > 0 ? [composeUnknown(unknown, false)] : []),
    { title: "Gates", blocks: composeGates({ gates }) },
  ];
}
