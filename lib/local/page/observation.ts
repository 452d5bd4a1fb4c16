// One observation, explained: what each part of it means, in sentences of our own.
import { describeImpact } from "../../assess/alerts/impact.ts";
import {
  describeDuration,
  describeFreshness,
  describeNotices,
  describeOutcome,
  isExpectedRefusal,
  plural,
} from "../../assess/alerts/text.ts";
import { endpoints } from "../../contract/endpoints.ts";
import type { Observation, Variant } from "../../records/observation.ts";

const variantTexts: Record<Variant, string> = {
  authenticated: "with our key",
  anonymous: "without a key",
  "by-wallet": "for a passport by its wallet",
  "unknown-id": "for a passport that nobody has",
  keyword: "with a keyword",
  "second-page": "for the second page",
  "bad-key": "with a wrong key",
};

export function viewObservation(observation: Observation, nowMs: number) {
  return {
    observation,
    explain: explain(observation, nowMs),
    means: Object.fromEntries(observation.findings.map((finding) => [finding.id, describeImpact(finding)])),
  };
}

function explain(observation: Observation, nowMs: number): string[] {
  const {
    endpoint,
    variant: asked,
    outcome,
    timings,
    attempts,
    staleness,
    findings,
    validated,
  } = observation;
  const { title, section } = endpoints[endpoint];
  const lines = [`${title} (V1's document, section ${section}), asked ${variantTexts[asked]}.`];
  if (outcome.kind === "ok")
    lines.push(`It answered 200 with JSON in ${Math.round(timings.totalMs)} ms${freshness(observation)}.`);
  else lines.push(`It came to this: ${describeOutcome(observation)}.`);
  if (isExpectedRefusal(observation)) lines.push("That is what a sane V1 answers to such a question.");
  if (attempts.length > 1) lines.push("The first attempt failed on the network; this is the second.");
  for (const line of describeNotices(observation, nowMs)) lines.push(`${line}.`);
  if (staleness?.skewSeconds !== undefined && Math.abs(staleness.skewSeconds) > 60)
    lines.push(`V1's clock and ours differ by ${describeDuration(Math.abs(staleness.skewSeconds))}.`);
  if (validated && validated.records < validated.of)
    lines.push(`Only the first ${validated.records} of ${validated.of} records were validated.`);
  if (outcome.kind === "ok") lines.push(shape(findings));
  return lines;
}

const freshness = ({ staleness }: Observation) => (staleness ? `: ${describeFreshness(staleness)}` : "");

function shape(findings: Observation["findings"]): string {
  const breaking = findings.filter(({ level }) => level === "breaking").length;
  if (findings.length === 0) return "Its shape is as documented.";
  if (breaking === 0)
    return `Nothing in it breaks the document; ${plural(findings.length, "difference")} is worth knowing.`;
  return `${plural(breaking, "difference")} from the document breaks code that was written for it.`;
}
