// Facts with which every gate passes; each test changes the fact under test.

import type { EndpointId } from "../../lib/contract/endpoints.ts";
import { createStarter, mappingText } from "../../lib/mapping/starter.ts";
import { describeVersions } from "../../lib/parity/cohort.ts";
import { planParity } from "../../lib/parity/plan.ts";
import type { Consumer, ConsumerUse, Facts, JudgedResponses } from "../../lib/readiness/facts.ts";
import { type GateId, judgeReadiness } from "../../lib/readiness/readiness.ts";
import type { Mapping } from "../../lib/records/mapping.ts";
import type { ParityAggregate } from "../../lib/records/parity.ts";
import { isBrokenName, type Rehearsal, rehearsalNames, rehearsalTable } from "../../lib/records/rehearsal.ts";

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
  passedOn: [],
});

export function consumerOf(change: Partial<Consumer> = {}): Consumer {
  return {
    name: "src/score.ts",
    owners: ["profile team"],
    status: "dual",
    isExcepted: false,
    exceptions: [],
    contradictions: [],
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
    v2: { sent: 2_000, answered: 2_000, usable: 2_000, by: { "200": 2_000 } },
    ...change,
  };
}

export const address = "https://api.example.com";

/** What V2 did with the requests of a comparison: statuses are answers, and 200 is usable. */
export function answersOf(by: Record<string, number>): NonNullable<ParityAggregate["v2"]> {
  const sum = (isOne: (what: string) => boolean) =>
    Object.entries(by).reduce((all, [what, times]) => all + (isOne(what) ? times : 0), 0);
  return {
    sent: sum(() => true),
    answered: sum((what) => /^\d+$/.test(what)),
    usable: sum((what) => what === "200"),
    by,
  };
}

/** The comparison of this V1 with the V2 of a mapping. */
export const parityOf = (
  aggregate: ParityAggregate,
  mapping = decidedMapping(),
): NonNullable<Facts["parity"]> => ({
  file: "parity.state.json",
  aggregate,
  atMs: nowMs - dayMs,
  compared: describeVersions(address, mapping.v2.baseUrl, mapping),
});

/** A rehearsal of every scenario, with this result in each broken one. */
export const rehearsalOf = (result: Rehearsal["rows"][number]["result"], at = nowMs - dayMs): Rehearsal => ({
  schema: "v1watch/rehearsal/2",
  at: new Date(at).toISOString(),
  upstream: "simulator",
  upstreamRequests: 2,
  rows: rehearsalNames.map((scenario) => ({
    scenario,
    does: rehearsalTable[scenario].does,
    requests: 1,
    played: 1,
    exitCode: 0,
    result: isBrokenName(scenario) ? result : "passed",
  })),
});

/** Endpoints whose responses were validated, 40 of each. */
export const judgedOf = (...endpoints: readonly EndpointId[]): JudgedResponses[] =>
  endpoints.map((endpoint) => ({ endpoint, responses: 40, lastMs: nowMs - dayMs }));

export function factsOf(change: Partial<Facts> = {}): Facts {
  const mapping = change.mapping?.parsed ?? decidedMapping();
  return {
    nowMs,
    address,
    consumers: [consumerOf()],
    scanned: [{ name: "src", files: 12, scannedOn: "2026-11-15" }],
    mapping: mappingOf(mapping),
    parity: parityOf(aggregateOf(mapping), mapping),
    rehearsal: rehearsalOf("loud"),
    drift: { rows: [], judged: judgedOf("passport") },
    proof: { atMs: nowMs - 3 * dayMs, isDrill: true },
    outlook: { level: "warning", date: "2027-03-31", daysLeft: 136 },
    ...change,
  };
}

export const gateOf = (change: Partial<Facts>, id: GateId) =>
  judgeReadiness(factsOf(change)).gates.find((gate) => gate.id === id)!;

export const mappingWith = (change: (mapping: Mapping) => void) => mappingOf(decidedMapping(change));

export const undecidedRow = { decision: "undecided" } as const;
