// One observation with an explanation of its outcome, timings, headers and findings as sentences, and the drift
// history as table rows.

import { isPresent } from "../../assess/drift-history.ts";
import type { AssessState } from "../../assess/state.ts";
import { describeFinding, describeImpact } from "../../assess/text/impact.ts";
import { describeFreshness, describeNotices } from "../../assess/text/text.ts";
import { api, type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { type Finding, levels, type Observation, type Variant } from "../../records/observation.ts";
import { describeOutcome, isExpectedRefusal } from "../../records/outcome.ts";
import { plural } from "../../text.ts";
import { describeDuration } from "../../time.ts";
import type { DriftView, ObservationView } from "../server/api-schemas.ts";
import type { Neighbours } from "../store/history.ts";

const variantTexts: Record<Variant, string> = {
  authenticated: "with our API key",
  anonymous: "without a key",
  "by-other-id": `for a ${api.sample.nouns.one} by ${api.sample.otherId?.nouns.one ?? "another id"}`,
  "unknown-id": "for an id that does not exist",
  keyword: "with a keyword",
  "second-page": "for the second page",
  "bad-key": "with an invalid key",
};

/** The neighbours of a check, by their ids. */
export function viewObservation(
  observation: Observation,
  { nowMs, baseUrl, previous, next }: { nowMs: number; baseUrl: string } & Neighbours,
): ObservationView {
  const { endpoint, variant } = observation;
  const byId = (describe: (finding: Finding) => string) =>
    Object.fromEntries(observation.findings.map((finding) => [finding.id, describe(finding)]));
  return {
    observation,
    request: {
      method: endpoints[endpoint].method,
      url: `${baseUrl}${requestPath(endpoint, variant)}`,
      hasKey: variant !== "anonymous",
    },
    isExpected: isExpectedRefusal(observation),
    phases: readPhases(observation.timings),
    previous,
    next,
    explain: explain(observation, nowMs),
    changes: byId(describeFinding),
    means: byId(describeImpact),
  };
}

/** The path and query of a request; what it was sent for is personal and not stored, so its name stands there. */
function requestPath(endpoint: EndpointId, variant: Variant): string {
  const { path, parameters, pagination } = endpoints[endpoint];
  const { nouns, otherId } = api.sample;
  const sample = variant === "by-other-id" && otherId ? `{${otherId.name}}` : `{${nouns.one} id}`;
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap(({ name, isSample, filters }) =>
      isSample ? [`${name}=${sample}`] : filters && variant === "keyword" ? [`${name}={${name}}`] : [],
    );
  if (variant === "second-page" && pagination) query.push(`${pagination.parameter}=2`);
  const place = parameters.find((parameter) => parameter.in === "path" && parameter.isSample);
  return `${place ? path.replace(`{${place.name}}`, sample) : path}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

/** firstByteMs and totalMs are measured from the start; the others are durations. */
function readPhases({ dnsMs, tcpMs, tlsMs, firstByteMs, totalMs }: Observation["timings"]) {
  const phases: ObservationView["phases"] = [];
  let startMs = 0;
  const add = (name: string, endMs: number | undefined) => {
    if (endMs === undefined) return;
    phases.push({ name, startMs, durationMs: Math.max(0, Math.round((endMs - startMs) * 10) / 10) });
    startMs = Math.max(startMs, endMs);
  };
  const connectedMs = (dnsMs ?? 0) + (tcpMs ?? 0);
  add("DNS", dnsMs);
  add("Connect", tcpMs === undefined ? undefined : connectedMs);
  add("TLS", tlsMs === undefined ? undefined : connectedMs + tlsMs);
  add("Wait for the first byte", firstByteMs);
  add(firstByteMs === undefined ? "No response" : "Body", totalMs);
  return phases;
}

function explain(observation: Observation, nowMs: number): string[] {
  const { endpoint, variant, outcome, timings, attempts, staleness, findings, validated } = observation;
  const { clockAheadSeconds, isDateWrong } = observation;
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
  if (clockAheadSeconds !== undefined)
    lines.push(
      `The clock of the machine had jumped by ${describeDuration(Math.abs(clockAheadSeconds))}; the check is dated by the time that had passed.`,
    );
  if (isDateWrong)
    lines.push("A clock that was wrong has dated this check, so nothing was concluded from it.");
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

/** Present and breaking differences first, then by the time of the last observation. */
export function readDrift(state: AssessState): DriftView[] {
  const views = Object.values(state.drift.rows).map((row): DriftView => {
    const { finding, endpoint, firstSeen, lastSeen, seen, sampleCount, isChange } = row;
    const { id, path, kind, level, count, of } = finding;
    return {
      id,
      endpoint,
      path,
      kind,
      level,
      count,
      of,
      firstSeen,
      lastSeen,
      seen,
      sampleCount,
      isChange,
      change: describeFinding(finding),
      isPresent: isPresent(row),
      means: describeImpact(finding),
    };
  });
  const rank = (view: DriftView) => (view.isPresent ? 0 : 10) + levels.indexOf(view.level);
  return views.sort(
    (a, b) => rank(a) - rank(b) || (a.lastSeen < b.lastSeen ? 1 : -1) || (a.id < b.id ? -1 : 1),
  );
}
