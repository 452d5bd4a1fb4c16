// Whether we can leave V1: the gates, one verdict and the blockers.

import { plural } from "../text.ts";
import {
  describeScanned,
  type Facts,
  findScanProblem,
  type GateState,
  type Judgement,
  pass,
  type SourceLocation,
  unknown,
} from "./facts.ts";
import { judgeBehaviours, judgeExceptions, judgeFields } from "./gates/mapping.ts";
import { judgeFieldParity, judgeV2Health } from "./gates/parity.ts";
import { judgeRehearsal } from "./gates/rehearsal.ts";
import { describeWholeUses } from "./gates/usage.ts";
import { judgeAlerts, judgeConsumers, judgeDrift, judgeTime } from "./gates/watch.ts";

type GateRow = {
  title: string;
  /** Priority among the blockers; the highest comes first. */
  weight: number;
  /** What makes the gate pass. */
  passesWhen: string;
  /** Whether the gate trusts the inventory, and so cannot pass while the scan was not sure, read nothing or is of another state. */
  trustsScan?: boolean;
  /** Whether there is nothing to prove where the scan found no use of V1. */
  isMootWithoutUses?: boolean;
  judge(facts: Facts): Judgement;
  /** What the evidence does not cover. */
  limits?(facts: Facts): string[];
};

/** Weights: the schedule first, then what breaks users, then missing evidence, then the monitor itself. */
export const gateTable = {
  fields: {
    title: "Every used endpoint and field is decided",
    weight: 80,
    judge: judgeFields,
    isMootWithoutUses: true,
    trustsScan: true,
    passesWhen: "every used field has a decided row in the mapping that was verified or compared",
    limits: describeWholeUses,
  },
  behaviours: {
    title: "Behaviours that change are decided",
    weight: 60,
    judge: judgeBehaviours,
    isMootWithoutUses: true,
    trustsScan: true,
    passesWhen: "every behaviour of a used endpoint has a decided, verified row in the mapping",
  },
  exceptions: {
    title: "No exception has expired",
    weight: 40,
    judge: judgeExceptions,
    isMootWithoutUses: true,
    trustsScan: true,
    passesWhen:
      "no drop in the mapping and no exception in the inventory is past its day, and no exception lasts for more than a year",
  },
  parity: {
    title: "V2 matches V1 on the used fields",
    weight: 70,
    judge: judgeFieldParity,
    isMootWithoutUses: true,
    trustsScan: true,
    passesWhen: "a comparison of the last 30 days has enough pairs and no difference on a used field",
  },
  "v2-health": {
    title: "V2 is healthy",
    weight: 50,
    judge: judgeV2Health,
    isMootWithoutUses: true,
    passesWhen: "V2 answered at least 99 % of the requests of a comparison usably and kept its own shape",
  },
  consumers: {
    title: "Consumers are migrated, dual-running or exempted",
    weight: 90,
    judge: judgeConsumers,
    passesWhen: "no consumer in the inventory is on V1 only without a valid exception",
    trustsScan: true,
  },
  drift: {
    title: "Drift on used fields is reviewed",
    weight: 30,
    judge: judgeDrift,
    trustsScan: true,
    passesWhen:
      "no used field differs from V1's document without a review, and none that a declared type requires",
  },
  alerts: {
    title: "An alert or drill was delivered in the last 30 days",
    weight: 20,
    judge: judgeAlerts,
    passesWhen: "a delivery of the last 30 days is recorded",
  },
  rehearsal: {
    title: "V1's end was rehearsed",
    weight: 45,
    judge: judgeRehearsal,
    isMootWithoutUses: true,
    passesWhen:
      "a smoke test that V1 serves in health asks V1 and fails, or says so, in every way in which V1 may end",
  },
  time: {
    title: "Schedule margin is positive",
    weight: 100,
    judge: judgeTime,
    trustsScan: true,
    passesWhen: "V1's retirement date is known and later than the work that is left",
  },
} as const satisfies Record<string, GateRow>;

/** A scan that read nothing or other files, is old, or could not be sure, is no evidence for a pass. */
function doubt(judgement: Judgement, facts: Facts): Judgement {
  const { consumers, unsure = [] } = facts;
  if (judgement.state !== "pass" || !consumers) return judgement;
  const problem = findScanProblem(facts);
  if (problem !== undefined)
    return unknown(problem, "Scan again: `v1watch scan DIR… --inventory v1watch.inventory.json`.");
  const [first] = unsure;
  if (!first) return judgement;
  const why = {
    "no-call": "V1's names are there, but no call of V1 was found",
    incomplete: "not analysed to the end",
    link: "a symbolic link leads out of the folders that were scanned",
    missing: "git tracks it, and it was not on the disk",
    "low-confidence": "V1's path is in its text",
    "not-counted": `V1's path is there and not counted, because ${first.why}`,
  };
  const advice = {
    "no-call":
      "Name V1's address with `v1watch scan DIR… --host HOST --inventory FILE`, or check these files by hand and add `reviewed` to their rows of `unsure` in the inventory.",
    incomplete:
      "Scan the folder by itself, or check these files by hand and add `reviewed` to their rows of `unsure` in the inventory.",
    link: "Scan the folders behind these links, too, or add `reviewed` to their rows of `unsure` in the inventory.",
    missing:
      "Check out what is missing, such as by `git sparse-checkout disable` or `git submodule update --init`, and scan again, or add `reviewed` to these rows of `unsure` in the inventory.",
    "low-confidence":
      "Look at these lines: if they do not call V1, add `reviewed` with the reason to their uses in the inventory.",
    "not-counted":
      "Look at these lines: if they do not call V1, add `reviewed` with the reason to their rows of `unsure` in the inventory.",
  };
  return unknown(
    `the scan was not sure about ${plural(unsure.length, "place")}: ${first.file}:${first.line} (${why[first.reason]})`,
    advice[first.reason],
    { places: unsure.map(({ file, line }) => ({ file, line: Math.max(1, line) })) },
  );
}

/** A team that has left V1 has nothing to compare, to decide or to rehearse: the scan is the evidence. */
function excuse(judgement: Judgement, facts: Facts): Judgement {
  const { consumers, unsure = [] } = facts;
  const isFree = consumers && unsure.length === 0 && consumers.every(({ uses }) => uses.length === 0);
  if (judgement.state !== "unknown" || !isFree || findScanProblem(facts) !== undefined) return judgement;
  return pass(
    `the scan found no code that still uses V1 in ${describeScanned(facts)}, so that nothing has to be shown here`,
  );
}

export type GateId = keyof typeof gateTable;
export const gateIds = Object.keys(gateTable) as GateId[];

export type Gate = {
  id: GateId;
  title: string;
  state: GateState;
  problem: string;
  evidence: string[];
  next: string;
  passesWhen: string;
  owners: string[];
  places: SourceLocation[];
};

export type Verdict = "ready" | "not ready" | "unknown";

/** Blockers are the gates that fail, the most important first: as many as the sentence counts. */
export type Readiness = { verdict: Verdict; sentence: string; gates: Gate[]; blockers: Gate[] };

const maxPlaces = 20;

export function judgeReadiness(facts: Facts): Readiness {
  const gates = gateIds.map((id): Gate => {
    const row: GateRow = gateTable[id];
    const { title, judge, passesWhen, trustsScan = false, isMootWithoutUses = false, limits } = row;
    const judged = isMootWithoutUses ? excuse(judge(facts), facts) : judge(facts);
    const {
      state,
      problem,
      evidence,
      next,
      owners = [],
      places = [],
    } = trustsScan ? doubt(judged, facts) : judged;
    return {
      id,
      title,
      state,
      problem,
      evidence: [...evidence, ...(limits?.(facts) ?? [])],
      next,
      passesWhen,
      owners: [...new Set(owners)].slice(0, 5),
      places: uniqueLocations(places).slice(0, maxPlaces),
    };
  });
  const blockers = gates
    .filter(({ state }) => state === "fail")
    .sort((a, b) => gateTable[b.id].weight - gateTable[a.id].weight);
  const isReady = gates.every(({ state }) => state === "pass");
  const verdict = isReady ? "ready" : blockers.length > 0 ? "not ready" : "unknown";
  return { verdict, sentence: describeVerdict(verdict, gates), gates, blockers };
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
