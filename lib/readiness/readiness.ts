// Can we leave V1, and what still holds us? Nine gates, one verdict, the three blockers that matter most.

import type { Facts, GateState, Judgement, Place } from "./facts.ts";
import { judgeBehaviours, judgeExceptions, judgeFields } from "./gates/mapping.ts";
import { judgeAgreement, judgeHealth } from "./gates/parity.ts";
import { judgeAlerts, judgeConsumers, judgeDrift, judgeTime } from "./gates/watch.ts";

type GateRow = {
  title: string;
  /** How much it matters beside the others: the higher comes first among the blockers. */
  weight: number;
  judge(facts: Facts): Judgement;
};

/** Time cannot be bought back; then what breaks users, then what we do not know, then our own upkeep. */
export const gateTable = {
  fields: { title: "Every used endpoint and field is decided", weight: 80, judge: judgeFields },
  behaviours: { title: "Behaviours that change are decided", weight: 60, judge: judgeBehaviours },
  exceptions: { title: "No exception has expired", weight: 40, judge: judgeExceptions },
  parity: { title: "V2 agrees on the used fields", weight: 70, judge: judgeAgreement },
  "v2-health": { title: "V2 is healthy", weight: 50, judge: judgeHealth },
  consumers: { title: "Consumers have moved, run dual or are excepted", weight: 90, judge: judgeConsumers },
  drift: { title: "Drift on used fields is reviewed", weight: 30, judge: judgeDrift },
  alerts: { title: "The alert path was proven in the last 30 days", weight: 20, judge: judgeAlerts },
  time: { title: "There is more time than work", weight: 100, judge: judgeTime },
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
  places: Place[];
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
      places: uniquePlaces(places).slice(0, maxPlaces),
    };
  });
  const blockers = gates
    .filter(({ state }) => state !== "pass")
    .sort(
      (a, b) => stateRank[a.state] - stateRank[b.state] || gateTable[b.id].weight - gateTable[a.id].weight,
    );
  const verdict = blockers.length === 0 ? "ready" : blockers[0]?.state === "fail" ? "not ready" : "unknown";
  return { verdict, sentence: tellVerdict(verdict, gates), gates, blockers: blockers.slice(0, maxBlockers) };
}

function uniquePlaces(places: readonly Place[]): Place[] {
  const known = new Map(places.map(({ file, line }) => [`${file}:${line}`, { file, line }]));
  return [...known.values()];
}

function tellVerdict(verdict: Verdict, gates: readonly Gate[]): string {
  const count = (state: GateState) => gates.filter((gate) => gate.state === state).length;
  const [failed, unsure] = [count("fail"), count("unknown")];
  const gatesText = (number: number) => `${number} of ${gates.length} gates`;
  if (verdict === "ready") return `We can leave V1: all ${gates.length} gates pass.`;
  if (verdict === "unknown") {
    return `We cannot say yet whether we can leave V1: ${gatesText(unsure)} ${unsure === 1 ? "lacks" : "lack"} evidence.`;
  }
  const also = unsure > 0 ? `, and ${unsure} ${unsure === 1 ? "lacks" : "lack"} evidence` : "";
  return `We cannot leave V1 yet: ${gatesText(failed)} ${failed === 1 ? "fails" : "fail"}${also}.`;
}
