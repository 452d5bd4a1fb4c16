// A cycle for machines: JUnit for test reports, workflow annotations for GitHub.
import { describeImpact } from "../../assess/alerts/impact.ts";
import { describeNotices, describeOutcome, isExpectedRefusal } from "../../assess/alerts/text.ts";
import type { Observation } from "../../records/observation.ts";
import { type CycleFacts, findFrozen } from "./text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids exactly these.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export const escapeXml = (text: string) =>
  text.replace(unprintable, "").replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);

const name = ({ endpoint, variant: asked }: Observation) =>
  asked === "authenticated" ? endpoint : `${endpoint} ${asked}`;

function listProblems(observation: Observation, nowMs: number): string[] {
  const problems: string[] = [];
  if (observation.outcome.kind !== "ok" && !isExpectedRefusal(observation))
    problems.push(describeOutcome(observation));
  problems.push(...describeNotices(observation, nowMs));
  for (const finding of observation.findings) {
    const share = `${finding.count} of ${finding.of}`;
    problems.push(`${finding.level}: ${finding.path} ${finding.kind} (${share}): ${describeImpact(finding)}`);
  }
  return problems;
}

/** What is wrong with each response, a line each; none where it is as documented. */
function judgeCycle(cycle: CycleFacts): { observation: Observation; problems: string[] }[] {
  const frozen = findFrozen(cycle);
  return cycle.observations.map((observation) => {
    const problems = listProblems(observation, cycle.nowMs);
    if (frozen?.observation === observation) problems.push(frozen.words);
    return { observation, problems };
  });
}

/** For the exit code: it fails for what the outputs name, and for nothing else. */
export const isFineCycle = (cycle: CycleFacts): boolean =>
  judgeCycle(cycle).every(({ problems }) => problems.length === 0);

export function renderJunit(cycle: CycleFacts): string {
  const judged = judgeCycle(cycle);
  const rows = judged.map(({ observation, problems }) => {
    const seconds = (observation.timings.totalMs / 1000).toFixed(3);
    const head = `    <testcase classname="v1watch" name="${escapeXml(name(observation))}" time="${seconds}"`;
    if (problems.length === 0) return `${head}/>`;
    return `${head}>\n      <failure message="${escapeXml(problems[0]!)}">${escapeXml(problems.join("\n"))}</failure>\n    </testcase>`;
  });
  const failed = judged.filter(({ problems }) => problems.length > 0).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite name="v1watch probe" tests="${judged.length}" failures="${failed}">`,
    ...rows,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

const escapeData = (text: string) => text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");

/** Workflow commands: GitHub shows them as annotations of the run. */
export function renderGithub(cycle: CycleFacts): string {
  const lines = judgeCycle(cycle).flatMap(({ observation, problems }) =>
    problems.map((problem) => {
      const level = /^(?:additive|notice):/.test(problem) ? "notice" : "error";
      return `::${level} title=v1watch ${name(observation)}::${escapeData(problem)}`;
    }),
  );
  return lines.map((line) => `${line}\n`).join("");
}
