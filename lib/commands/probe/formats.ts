// Renders a probe cycle as JUnit XML and as GitHub workflow annotations.

import { describeFinding, describeImpact } from "../../assess/alerts/impact.ts";
import { describeNotices } from "../../assess/alerts/text.ts";
import type { Observation } from "../../records/observation.ts";
import { describeOutcome, isExpectedRefusal } from "../../records/outcome.ts";
import { renderAnnotation, renderTestReport, type TestCase } from "../ci-formats.ts";
import { type CycleFacts, findFrozenList } from "./text.ts";

const nameOf = ({ endpoint, variant, isPrimary }: Observation) =>
  isPrimary ? endpoint : `${endpoint} ${variant}`;

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

/** Nothing could be requested. It is no success either: the exit code says that something is unknown. */
const isNotJudged = ({ outcome }: Observation) =>
  outcome.kind === "refused" && outcome.detail === "no-sample";

export const renderJunit = (cycle: CycleFacts): string =>
  renderTestReport(
    "probe",
    findProblems(cycle).map(({ observation, problems: [first, ...others] }): TestCase => {
      const kind = isNotJudged(observation) ? "skipped" : "failure";
      const problem =
        first === undefined ? undefined : ({ kind, message: first, lines: [first, ...others] } as const);
      return { name: nameOf(observation), seconds: observation.timings.totalMs / 1_000, problem };
    }),
  );

export const renderGithub = (cycle: CycleFacts): string =>
  findProblems(cycle)
    .flatMap(({ observation, problems }) =>
      problems.map((text) => {
        const level = /^(?:additive|notice):/.test(text) ? "notice" : "error";
        return renderAnnotation({ level, title: `v1watch ${nameOf(observation)}`, text });
      }),
    )
    .join("");
