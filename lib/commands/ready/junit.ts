// Renders the gates as test cases in JUnit's XML, which CI systems show: a gate that fails is a failure, an unknown one an error.
import { escapeXml } from "../../html.ts";
import type { Gate, Readiness } from "../../readiness/readiness.ts";
import type { Report } from "../../records/report.ts";

type TestCase = { name: string; problem?: { kind: "failure" | "error"; message: string; text: string } };

const kinds = { pass: undefined, fail: "failure", unknown: "error" } as const;

function caseOf({ title, state, problem, evidence, next, owners, places }: Gate): TestCase {
  const kind = kinds[state];
  if (kind === undefined) return { name: title };
  const lines = [
    ...evidence,
    ...(next === "" ? [] : [`Next step: ${next}`]),
    ...(owners.length === 0 ? [] : [`Owner: ${owners.join(", ")}`]),
    ...places.map(({ file, line }) => `${file}:${line}`),
  ];
  return { name: title, problem: { kind, message: problem || evidence.join("; "), text: lines.join("\n") } };
}

function renderCase({ name, problem }: TestCase): string {
  const start = `    <testcase classname="v1watch ready" name="${escapeXml(name)}"`;
  if (!problem) return `${start}/>`;
  const { kind, message, text } = problem;
  // Its lines stay lines.
  const body = text.split("\n").map(escapeXml).join("\n");
  return `${start}>\n      <${kind} message="${escapeXml(message)}">${body}</${kind}>\n    </testcase>`;
}

/** Where nobody knows how V1 is, that is an error of its own: gates that pass would hide it. */
export function renderJunit({ gates }: Readiness, { isHealthy, says }: Report["monitor"]): string {
  const watched: TestCase = isHealthy
    ? { name: "V1 is watched" }
    : { name: "V1 is watched", problem: { kind: "error", message: says, text: says } };
  const cases = [watched, ...gates.map(caseOf)];
  const count = (kind: "failure" | "error") => cases.filter(({ problem }) => problem?.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="v1watch ready" ${counts}>`,
    ...cases.map(renderCase),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
