// One observation with an explanation of its outcome, timings, headers and findings as sentences.
import { describeFinding, describeImpact } from "../../assess/alerts/impact.ts";
import {
  describeDuration,
  describeFreshness,
  describeNotices,
  describeOutcome,
  isExpectedRefusal,
  plural,
} from "../../assess/alerts/text.ts";
import { endpoints } from "../../contract/endpoints.ts";
import type { Finding, Observation, Variant } from "../../records/observation.ts";

const variantTexts: Record<Variant, string> = {
  authenticated: "with our API key",
  anonymous: "without a key",
  "by-wallet": "for a passport by wallet address",
  "unknown-id": "for an id that does not exist",
  keyword: "with a keyword",
  "second-page": "for the second page",
  "bad-key": "with an invalid key",
};

export function viewObservation(observation: Observation, nowMs: number) {
  const byId = (describe: (finding: Finding) => string) =>
    Object.fromEntries(observation.findings.map((finding) => [finding.id, describe(finding)]));
  return {
    observation,
    explain: explain(observation, nowMs),
    changes: byId(describeFinding),
    means: byId(describeImpact),
  };
}

function explain(observation: Observation, nowMs: number): string[] {
  const { endpoint, variant, outcome, timings, attempts, staleness, findings, validated } = observation;
  const { title, section } = endpoints[endpoint];
  const lines = [`${title} (section ${section} of V1's documentation), requested ${variantTexts[variant]}.`];
  if (outcome.kind === "ok")
    lines.push(
      `The response was 200 with JSON in ${Math.round(timings.totalMs)} ms${freshness(observation)}.`,
    );
  else lines.push(`Outcome: ${describeOutcome(observation)}.`);
  if (isExpectedRefusal(observation)) lines.push("This is the expected response to such a request.");
  if (attempts.length > 1)
    lines.push("The first attempt failed with a network error; this is the second attempt.");
  for (const line of describeNotices(observation, nowMs)) lines.push(`${line}.`);
  if (staleness?.skewSeconds !== undefined && Math.abs(staleness.skewSeconds) > 60)
    lines.push(`V1's clock and ours differ by ${describeDuration(Math.abs(staleness.skewSeconds))}.`);
  if (validated && validated.records < validated.of)
    lines.push(`Only the first ${validated.records} of ${validated.of} records were validated.`);
  if (outcome.kind === "ok") lines.push(describeFindings(findings));
  return lines;
}

const freshness = ({ staleness }: Observation) => (staleness ? `: ${describeFreshness(staleness)}` : "");

function describeFindings(findings: Observation["findings"]): string {
  const breaking = findings.filter(({ level }) => level === "breaking").length;
  if (findings.length === 0) return "The response matches the documentation.";
  if (breaking === 0)
    return `No breaking difference; ${plural(findings.length, "other difference")} from the documentation.`;
  return `${plural(breaking, "breaking difference")} from the documentation.`;
}
