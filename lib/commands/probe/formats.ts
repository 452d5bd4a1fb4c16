// What is wrong with the responses of a probe cycle.

import { describeFinding, describeImpact } from "../../assess/alerts/impact.ts";
import { describeNotices } from "../../assess/alerts/text.ts";
import type { Observation } from "../../records/observation.ts";
import { describeOutcome, isExpectedRefusal } from "../../records/outcome.ts";
import { type CycleFacts, findFrozenList } from "./text.ts";

function listProblems(observation: Observation, nowMs: number): string[] {
  const problems: string[] = [];
  if (observation.outcome.kind !== "ok" && !isExpectedRefusal(observation))
    problems.push(describeOutcome(observation));
  problems.push(...describeNotices(observation, nowMs));
  for (const finding of observation.findings) {
    const share = `${finding.count} of ${finding.of}`;
    problems.push(
      `${finding.level}: ${finding.path} ${describeFinding(finding)} (${share}): ${describeImpact(finding)}`,
    );
  }
  return problems;
}

/** The problems of each response, one line each; empty if the response is as documented. */
function findProblems(cycle: CycleFacts): { observation: Observation; problems: string[] }[] {
  const frozen = findFrozenList(cycle);
  return cycle.observations.map((observation) => {
    const problems = listProblems(observation, cycle.nowMs);
    if (frozen?.observation === observation) problems.push(frozen.text);
    return { observation, problems };
  });
}

/** Decides the exit code from the same problems that the outputs list. A cycle without a check proves nothing. */
export const isHealthyCycle = (cycle: CycleFacts): boolean =>
  cycle.observations.length > 0 && findProblems(cycle).every(({ problems }) => problems.length === 0);
