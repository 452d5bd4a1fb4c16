// Renders the readiness verdict as JUnit XML, SARIF 2.1 and GitHub workflow annotations.
import type { Gate, Readiness } from "../../readiness/readiness.ts";
import { renderSarifLog } from "../sarif.ts";

const messageOf = ({ evidence, next }: Gate) => `${evidence.join("; ")}. ${next}`.trim();
const isOpen = ({ state }: Gate) => state !== "pass";
const levelOf = ({ state }: Gate) => (state === "fail" ? "error" : "warning");

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Control characters become spaces, because XML 1.0 cannot represent most of them. */
const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\uFFFE\uFFFF]/gu, " ")
    .replace(/[&<>"']/g, (character) => entities[character] ?? character);

export function renderJunit({ gates }: Readiness): string {
  const count = (state: Gate["state"]) => gates.filter((gate) => gate.state === state).length;
  const cases = gates.map((gate) => {
    const open = `    <testcase classname="v1watch.ready" name="${escapeXml(gate.title)}" time="0"`;
    if (!isOpen(gate)) return `${open}/>`;
    const where = gate.places.map(({ file, line }) => escapeXml(`${file}:${line}`)).join("\n");
    const tag = gate.state === "fail" ? "failure" : "error";
    return `${open}><${tag} type="${gate.id}" message="${escapeXml(messageOf(gate))}">${where}</${tag}></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite name="v1watch ready" tests="${gates.length}" failures="${count("fail")}" errors="${count("unknown")}" skipped="0" time="0">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/**
 * One result per source location, because viewers show only the first location of a result. A gate without a location
 * is reported on the file `fallback`.
 */
export function renderSarif({ gates }: Readiness, fallback: string): string {
  const log = renderSarifLog({
    rules: gates.map(({ id, title }) => ({
      id: `ready/${id}`,
      short: `${title}.`,
      full: `A gate of the migration from V1 to V2: ${title}.`,
      help: "`v1watch ready` shows the evidence and the next step, `v1watch report` the complete report.",
    })),
    results: gates.filter(isOpen).flatMap((gate) => {
      const places = gate.places.length > 0 ? gate.places : [{ file: fallback, line: 1 }];
      return places.map(({ file, line }) => ({
        rule: `ready/${gate.id}`,
        level: levelOf(gate),
        file,
        line,
        text: `${gate.title}: ${messageOf(gate)}`,
        fingerprint: `ready/${gate.id} ${file}`,
      }));
    }),
    fingerprintKey: "v1watchGate/v1",
  });
  return `${JSON.stringify(log, null, 2)}\n`;
}

const escapeData = (text: string) =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string) => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
const maxAnnotationsPerGate = 5;

/** Workflow commands for standard output. GitHub shows at most ten annotations of a level. */
export function renderGithub({ gates }: Readiness): string {
  const lines = gates.filter(isOpen).flatMap((gate) => {
    const annotate = (location: string) =>
      `::${levelOf(gate)} ${location}title=${escapeProperty(gate.title)}::${escapeData(messageOf(gate))}`;
    if (gate.places.length === 0) return [annotate("")];
    return gate.places
      .slice(0, maxAnnotationsPerGate)
      .map(({ file, line }) => annotate(`file=${escapeProperty(file)},line=${Math.max(1, line)},`));
  });
  return lines.map((line) => `${line}\n`).join("");
}
