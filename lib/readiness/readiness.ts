// Whether we can leave V1: nine gates, one verdict and the three most important blockers.

import type { Facts, GateState, Judgement, SourceLocation } from "./facts.ts";
import { judgeBehaviours, judgeExceptions, judgeFields } from "./gates/mapping.ts";
import { judgeFieldParity, judgeV2Health } from "./gates/parity.ts";
import { judgeAlerts, judgeConsumers, judgeDrift, judgeTime } from "./gates/watch.ts";

type GateRow = {
  title: string;
  /** Priority among the blockers; the highest comes first. */
  weight: number;
  judge(facts: Facts): Judgement;
};

/** Weights: the schedule first, then what breaks users, then missing evidence, then the monitor itself. */
export const gateTable = {
  fields: { title: "Every used endpoint and field is decided", weight: 80, judge: judgeFields },
  behaviours: { title: "Behaviours that change are decided", weight: 60, judge: judgeBehaviours },
  exceptions: { title: "No exception has expired", weight: 40, judge: judgeExceptions },
  parity: { title: "V2 matches V1 on the used fields", weight: 70, judge: judgeFieldParity },
  "v2-health": { title: "V2 is healthy", weight: 50, judge: judgeV2Health },
  consumers: { title: "Consumers are migrated, dual-running or exempted", weight: 90, judge: judgeConsumers },
  drift: { title: "Drift on used fields is reviewed", weight: 30, judge: judgeDrift },
  alerts: { title: "An alert or drill was delivered in the last 30 days", weight: 20, judge: judgeAlerts },
  time: { title: "Schedule margin is positive", weight: 100, judge: judgeTime },
} as const satisfies Record<string, GateRow>;

export type GateId = keyof typeof gateTable;
export const gateIds = Object.keys(gateTable) as GateId[];

export type Gate = {
  id: GateId;
  title: string;
  state: GateState;
  evidence: string[];
  next: string;
  owners: string[];
  places: SourceLocation[];
};

export type Verdict = "ready" | "not ready" | "unknown";

export type Readiness = { verdict: Verdict; sentence: string; gates: Gate[]; blockers: Gate[] };

const maxBlockers = 3;
const maxPlaces = 20;
const stateRank: Record<GateState, number> = { fail: 0, unknown: 1, pass: 2 };

export function judgeReadiness(facts: Facts): Readiness {
  const gates = gateIds.map((id): Gate => {
    const { title, judge } = gateTable[id];
    const { state, evidence, next, owners = [], places = [] } = judge(facts);
    return {
      ...{ id, title, state, evidence, next },
      owners: [...new Set(owners)].slice(0, 5),
      places: uniqueLocations(places).slice(0, maxPlaces),
    };
  });
  const blockers = gates
    .filter(({ state }) => state !== "pass")
    .sort(
      (a, b) => stateRank[a.state] - stateRank[b.state] || gateTable[b.id].weight - gateTable[a.id].weight,
    );
  const verdict = blockers.length === 0 ? "ready" : blockers[0]?.state === "fail" ? "not ready" : "unknown";
  return {
    verdict,
    sentence: describeVerdict(verdict, gates),
    gates,
    blockers: blockers.slice(0, maxBlockers),
  };
}

function uniqueLocations(places: readonly SourceLocation[]): SourceLocation[] {
  const known = new Map(places.map(({ file, line }) => [`${file}:${line}`, { file, line }]));
  return [...known.values()];
}

function describeVerdict(verdict: Verdict, gates: readonly Gate[]): string {
  const count = (state: GateState) => gates.filter((gate) => gate.state === state).length;
  const [failedCount, unknownCount] = [count("fail"), count("unknown")];
  const gatesText = (number: number) => `${number} of ${gates.length} gates`;
  if (verdict === "ready") return `We can leave V1: all ${gates.length} gates pass.`;
  if (verdict === "unknown") {
    return `We cannot say yet whether we can leave V1: ${gatesText(unknownCount)} ${unknownCount === 1 ? "lacks" : "lack"} evidence.`;
  }
  const also =
    unknownCount > 0 ? `, and ${unknownCount} ${unknownCount === 1 ? "lacks" : "lack"} evidence` : "";
  return `We cannot leave V1 yet: ${gatesText(failedCount)} ${failedCount === 1 ? "fails" : "fail"}${also}.`;
}
