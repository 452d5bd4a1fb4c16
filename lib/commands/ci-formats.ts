// What a CI system shows of a command: a JUnit test report, and GitHub workflow annotations.
import { escapeXml } from "../html.ts";

export type TestCase = {
  name: string;
  seconds: number;
  /** Undefined for a test that passed. */
  problem?: Problem | undefined;
};

type Problem = {
  kind: "failure" | "error" | "skipped";
  /** An id by which a CI system may group problems. */
  type?: string | undefined;
  message: string;
  lines: readonly string[];
};

export function renderTestReport(command: string, cases: readonly TestCase[]): string {
  const count = (kind: string) => cases.filter(({ problem }) => problem?.kind === kind).length;
  const rows = cases.flatMap(({ name, seconds, problem }) => {
    const time = Number(seconds.toFixed(3));
    const head = `    <testcase classname="v1watch.${command}" name="${escapeXml(name)}" time="${time}"`;
    if (!problem) return [`${head}/>`];
    const type = problem.type === undefined ? "" : ` type="${escapeXml(problem.type)}"`;
    const attributes = `${type} message="${escapeXml(problem.message)}"`;
    const text = problem.lines.map(escapeXml).join("\n");
    return [`${head}>`, `      <${problem.kind}${attributes}>${text}</${problem.kind}>`, "    </testcase>"];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite name="v1watch ${command}" tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}">`,
    ...rows,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

export type Annotation = {
  level: "error" | "warning" | "notice";
  title: string;
  text: string;
  place?: { file: string; line: number } | undefined;
};

const escapeData = (text: string) =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string) => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** A workflow command for standard output, which GitHub shows as an annotation of the run or of the source line. */
export function renderAnnotation({ level, title, text, place }: Annotation): string {
  const at = place ? `file=${escapeProperty(place.file)},line=${Math.max(1, place.line)},` : "";
  return `::${level} ${at}title=${escapeProperty(title)}::${escapeData(text)}\n`;
}
