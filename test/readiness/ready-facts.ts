// Facts with which every gate passes; each test changes the fact under test.

import type { EndpointId } from "../../lib/contract/endpoints.ts";
import { createStarter, mappingText } from "../../lib/mapping/starter.ts";
import { planParity } from "../../lib/parity/plan.ts";
import type { Consumer, ConsumerUse, Facts } from "../../lib/readiness/facts.ts";
import { type GateId, judgeReadiness } from "../../lib/readiness/readiness.ts";
import type { Mapping } from "../../lib/records/mapping.ts";
import type { ParityAggregate } from "../../lib/records/parity.ts";
import type { Rehearsal } from "../../lib/records/rehearsal.ts";

export const nowMs = Date.parse("2026-11-15T12:00:00Z");
export const dayMs = 86_400_000;

export const readFields = ["passport.score", "passport.human_checkmark"];

/** A use that calls V1 and reads the fields on the same line. */
export const useOf = (
  file: string,
  line: number,
  endpoint: EndpointId,
  paths: readonly string[],
): ConsumerUse => ({
  file,
  line,
  endpoint,
  confidence: "high",
  calls: [line],
  fields: paths.map((path) => ({ path, line })),
  package: "src",
  codeOwners: ["profile team"],
  hazards: [],
  isReadAsText: false,
});

export function consumerOf(change: Partial<Consumer> = {}): Consumer {
  return {
    name: "src/score.ts",
    owners: ["profile team"],
    status: "dual",
    isExcepted: false,
    exceptions: [],
    uses: [useOf("src/score.ts", 41, "passport", readFields)],
    ...change,
  };
}

/** The starter mapping with every row decided and verified. */
export function decidedMapping(change: (mapping: Mapping) => void = () => {}): Mapping {
  const mapping = createStarter(nowMs);
  for (const [path, row] of Object.entries(mapping.fields)) {
    const { status: _, source: __, ...kept } = row;
    mapping.fields[path] =
      kept.decision === "undecided" || kept.decision === "dropped"
        ? { decision: "dropped", owner: "data team", reason: "Nobody shows it.", expires: "2099-12-31" }
        : kept;
  }
  for (const id of Object.keys(mapping.behaviours)) {
    mapping.behaviours[id] = { decision: "transformed", becomes: "As the team has agreed." };
  }
  change(mapping);
  return mapping;
}

export const mappingOf = (mapping: Mapping): NonNullable<Facts["mapping"]> => ({
  file: "v1watch.mapping.json",
  text: mappingText(mapping),
  parsed: mapping,
});

export function aggregateOf(mapping: Mapping, change: Partial<ParityAggregate> = {}): ParityAggregate {
  const fields = planParity(mapping).paths.map((path) => [path, { compared: 400, raw: {}, noise: {} }]);
  return {
    schema: "v1watch/parity/1",
    pairs: 400,
    skipped: {},
    requests: { v1: 1_600, v2: 2_000 },
    fields: Object.fromEntries(fields),
    shape: {},
    ...change,
  };
}

export const parityOf = (aggregate: ParityAggregate): NonNullable<Facts["parity"]> => ({
  file: "parity.state.json",
  aggregate,
  atMs: nowMs - dayMs,
});

export const rehearsalOf = (result: Rehearsal["rows"][number]["result"], at = nowMs - dayMs): Rehearsal => ({
  schema: "v1watch/rehearsal/1",
  at: new Date(at).toISOString(),
  upstream: "simulator",
  upstreamRequests: 2,
  rows: [
    { scenario: "healthy", does: "answers as it always does", requests: 1, exitCode: 0, result: "handled" },
    { scenario: "gone", does: "answers 410", requests: 1, exitCode: 0, result },
  ],
});

export function factsOf(change: Partial<Facts> = {}): Facts {
  const mapping = decidedMapping();
  return {
    nowMs,
    consumers: [consumerOf()],
    mapping: mappingOf(mapping),
    parity: parityOf(aggregateOf(mapping)),
    rehearsal: rehearsalOf("loud"),
    drift: { rows: [], judged: ["passport"] },
    proof: { atMs: nowMs - 3 * dayMs, isDrill: true },
    outlook: { level: "warning", date: "2027-03-31", daysLeft: 136 },
    daysPerConsumer: 2,
    ...change,
  };
}

export const gateOf = (change: Partial<Facts>, id: GateId) =>
  judgeReadiness(factsOf(change)).gates.find((gate) => gate.id === id)!;

export const mappingWith = (change: (mapping: Mapping) => void) => mappingOf(decidedMapping(change));

export const undecidedRow = { decision: "undecided" } as const;
