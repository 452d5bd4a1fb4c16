// Renders the readiness verdict as SARIF 2.1.
import type { Gate, Readiness } from "../../readiness/readiness.ts";
import { renderSarifLog } from "../sarif.ts";

const messageOf = ({ evidence, next }: Gate) => `${evidence.join("; ")}. ${next}`.trim();
const isOpen = ({ state }: Gate) => state !== "pass";
const levelOf = ({ state }: Gate) => (state === "fail" ? "error" : "warning");

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
