// Renders a probe cycle as JUnit XML and as GitHub workflow annotations.

import { describeFinding, describeImpact } from "../../assess/alerts/impact.ts";
import { describeNotices } from "../../assess/alerts/text.ts";
import type { Observation } from "../../records/observation.ts";
import { describeOutcome, isExpectedRefusal } from "../../records/outcome.ts";
import { type CycleFacts, findFrozenList } from "./text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids exactly these.
const invalidInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replace(invalidInXml, "")
    .replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);

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

/** Decides the exit code from the same problems that the outputs list. */
export const isHealthyCycle = (cycle: CycleFacts): boolean =>
  findProblems(cycle).every(({ problems }) => problems.length === 0);

/** Nothing could be requested. It is no success either: the exit code says that something is unknown. */
const isNotJudged = ({ outcome }: Observation) =>
  outcome.kind === "refused" && outcome.detail === "no-sample";

export function renderJunit(cycle: CycleFacts): string {
  const responses = findProblems(cycle);
  const rows = responses.map(({ observation, problems }) => {
    const seconds = (observation.timings.totalMs / 1000).toFixed(3);
    const head = `    <testcase classname="v1watch" name="${escapeXml(nameOf(observation))}" time="${seconds}"`;
    if (problems.length === 0) return `${head}/>`;
    if (isNotJudged(observation))
      return `${head}>\n      <skipped message="${escapeXml(problems.join("; "))}"/>\n    </testcase>`;
    return `${head}>\n      <failure message="${escapeXml(problems[0]!)}">${escapeXml(problems.join("\n"))}</failure>\n    </testcase>`;
  });
  const skipped = responses.filter(({ observation }) => isNotJudged(observation)).length;
  const failed = responses.filter(({ problems }) => problems.length > 0).length - skipped;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite name="v1watch probe" tests="${responses.length}" failures="${failed}" errors="0" skipped="${skipped}">`,
    ...rows,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

const escapeData = (text: string) => text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");

/** Workflow commands, which GitHub shows as annotations of the run. */
export function renderGithub(cycle: CycleFacts): string {
  const lines = findProblems(cycle).flatMap(({ observation, problems }) =>
    problems.map((problem) => {
      const level = /^(?:additive|notice):/.test(problem) ? "notice" : "error";
      return `::${level} title=v1watch ${nameOf(observation)}::${escapeData(problem)}`;
    }),
  );
  return lines.map((line) => `${line}\n`).join("");
}
