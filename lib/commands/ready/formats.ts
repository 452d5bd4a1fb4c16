// A readiness for the machines that show it beside the code: JUnit, SARIF 2.1 and GitHub's annotations.
import type { Gate, Readiness } from "../../readiness/readiness.ts";
import { renderSarifLog } from "../sarif.ts";

const messageOf = ({ evidence, next }: Gate) => `${evidence.join("; ")}. ${next}`.trim();
const isHeld = ({ state }: Gate) => state !== "pass";
const levelOf = ({ state }: Gate) => (state === "fail" ? "error" : "warning");

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** XML has no way to write most control characters at all. */
const xml = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\uFFFE\uFFFF]/gu, " ")
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

export function renderJunit({ gates }: Readiness): string {
  const count = (state: Gate["state"]) => gates.filter((gate) => gate.state === state).length;
  const cases = gates.map((gate) => {
    const [place] = gate.places;
    const at = place ? ` file="${xml(place.file)}" line="${place.line}"` : "";
    const open = `    <testcase classname="v1watch.ready" name="${xml(gate.title)}" time="0"${at}`;
    if (!isHeld(gate)) return `${open}/>`;
    const where = gate.places.map(({ file, line }) => xml(`${file}:${line}`)).join("\n");
    const tag = gate.state === "fail" ? "failure" : "error";
    return `${open}><${tag} type="${gate.id}" message="${xml(messageOf(gate))}">${where}</${tag}></testcase>`;
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

/** A result for each place, because viewers show the first alone; `fallback` is where the rest is told. */
export function renderSarif({ gates }: Readiness, fallback: string): string {
  const log = renderSarifLog({
    rules: gates.map(({ id, title }) => ({
      id: `ready/${id}`,
      short: `${title}.`,
      full: `One of the gates before V1 can be left: ${title}.`,
      help: "`v1watch ready` shows the evidence and the next step, `v1watch report` the whole picture.",
    })),
    results: gates.filter(isHeld).flatMap((gate) => {
      const places = gate.places.length > 0 ? gate.places : [{ file: fallback, line: 1 }];
      return places.map(({ file, line }) => ({
        ...{ rule: `ready/${gate.id}`, level: levelOf(gate), file, line },
        text: `${gate.title}: ${messageOf(gate)}`,
        print: `ready/${gate.id} ${file}`,
      }));
    }),
    prints: "v1watchGate/v1",
  });
  return `${JSON.stringify(log, null, 2)}\n`;
}

const data = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
const maxAnnotations = 5;

/** Workflow commands on standard output; GitHub shows ten of a kind at the most. */
export function renderGithub({ gates }: Readiness): string {
  const lines = gates.filter(isHeld).flatMap((gate) => {
    const tell = (at: string) =>
      `::${levelOf(gate)} ${at}title=${property(gate.title)}::${data(messageOf(gate))}`;
    if (gate.places.length === 0) return [tell("")];
    return gate.places
      .slice(0, maxAnnotations)
      .map(({ file, line }) => tell(`file=${property(file)},line=${Math.max(1, line)},`));
  });
  return lines.map((line) => `${line}\n`).join("");
}
