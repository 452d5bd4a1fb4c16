// Renders a probe cycle as text: one line per request, the findings, and a summary.

import { describeFreshness, describeNotices } from "../../assess/text/text.ts";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import { isAllowedHost } from "../../probe/http/addresses.ts";
import type { Finding, Observation, Variant } from "../../records/observation.ts";
import { describeOutcome, isExpectedRefusal, isOfProxy } from "../../records/outcome.ts";
import { plural } from "../../text.ts";
import { describeDuration } from "../../time.ts";
import { renderFindings, summariseFindings } from "../findings.ts";

export type CycleFacts = {
  observations: readonly Observation[];
  nowMs: number;
  frozenAfterSeconds: number;
};
export type CycleInput = CycleFacts & {
  baseUrl: string;
  sentKey: boolean;
  /** The proxy as it may be printed. */
  proxyText?: string | undefined;
};

/** Rows of other variants than the primary one are labelled with their name. */
const label = ({ endpoint, variant, isPrimary }: Observation) =>
  isPrimary ? endpoint : `${endpoint} ${variant}`;

/** The request was not sent, so the outcome contains no information about V1. */
const isUnsent = ({ outcome }: Observation) => outcome.kind === "refused" || outcome.kind === "no-secret";

const isUnexpected = (observation: Observation) =>
  observation.outcome.kind !== "ok" && !isExpectedRefusal(observation);

const hasBreaking = ({ findings }: Observation) => findings.some(({ level }) => level === "breaking");

/** Variants that V1 is expected to reject, and the reason. */
const expectedRefusals: Partial<Record<Variant, string>> = {
  "unknown-id": "an unknown id",
  "bad-key": "a wrong key",
};

/** The rejection of such a variant is inconclusive if the endpoint rejects the primary variant as well. */
const isInconclusive = ({ endpoint, variant }: Observation, { observations }: CycleInput) =>
  expectedRefusals[variant] !== undefined &&
  observations.some((one) => one.endpoint === endpoint && one.isPrimary && one.outcome.kind !== "ok");

function judgeRow(observation: Observation, cycle: CycleInput): { status: string; text: string } {
  const { outcome, staleness } = observation;
  if (outcome.kind === "ok")
    return { status: hasBreaking(observation) ? "DRIFT" : "ok", text: describeFreshness(staleness) };
  const text = describeOutcome(observation);
  if (isUnsent(observation) || isInconclusive(observation, cycle)) return { status: "?", text };
  if (!isExpectedRefusal(observation)) return { status: "FAIL", text };
  const reason = expectedRefusals[observation.variant];
  return { status: "ok", text: `${outcome.status ?? 401}, as expected for ${reason}` };
}

function renderRow(observation: Observation, cycle: CycleInput): string {
  const { outcome, timings } = observation;
  const { status, text } = judgeRow(observation, cycle);
  const time = `${Math.round(timings.totalMs)} ms`;
  const attempts =
    observation.attempts.length < 2 ? "" : outcome.kind === "ok" ? " · second attempt" : " · two attempts";
  return `  ${label(observation)}\t${status}\t${time}\t${text}${attempts}`;
}

/** Those of the primary variant; where none was requested, all that V1 is expected to serve. */
function mainObservations(observations: readonly Observation[]): Observation[] {
  const primary = observations.filter(({ isPrimary }) => isPrimary);
  return primary.length > 0 ? primary : observations.filter((one) => !isExpectedRefusal(one));
}

/** A notice that several endpoints return is printed once. */
function renderNotices({ observations, nowMs }: CycleInput): string[] {
  const byLine = new Map<string, Set<EndpointId>>();
  for (const observation of observations) {
    for (const line of describeNotices(observation, nowMs)) {
      const where = byLine.get(line) ?? new Set();
      byLine.set(line, where.add(observation.endpoint));
    }
  }
  return [...byLine].map(([line, where]) => {
    const names = where.size === endpointIds.length ? "all endpoints" : [...where].join(", ");
    return `  retirement\t${line} (${names})`;
  });
}

/** What the authenticated and the anonymous request to the same endpoint show about the key. */
function describeAccess(observations: readonly Observation[]): string | undefined {
  const anonymous = observations.find(({ variant }) => variant === "anonymous");
  const authenticated = observations.find(
    ({ variant, endpoint }) => variant === "authenticated" && endpoint === anonymous?.endpoint,
  );
  if (!anonymous || !authenticated) return undefined;
  const [withKey, without] = [authenticated.outcome.kind, anonymous.outcome.kind];
  if (withKey === "ok" && without === "unauthorized")
    return "anonymous requests get 401: the key is mandatory";
  if (withKey === "unauthorized" && without === "ok") {
    return authenticated.notices.usage?.exhausted
      ? "anonymous requests are served: the key's quota is exhausted, V1 itself is up"
      : "anonymous requests are served: the key is revoked or wrong, V1 itself is up";
  }
  if (withKey === "unauthorized" && without === "unauthorized") {
    const allAuthenticated = observations.filter(({ variant }) => variant === "authenticated");
    const isEveryEndpoint =
      allAuthenticated.length > 1 && allAuthenticated.every(({ outcome }) => outcome.kind !== "ok");
    return isEveryEndpoint
      ? "401 for authenticated and anonymous requests: V1 may be retired"
      : `401 for authenticated and anonymous requests: ${authenticated.endpoint} may be withdrawn`;
  }
  return undefined;
}

/** The same finding in two variants of an endpoint is counted once. */
function uniqueFindings(observations: readonly Observation[]): Finding[] {
  return [
    ...new Map(
      observations.flatMap(({ findings }) => findings.map((finding) => [finding.id, finding])),
    ).values(),
  ];
}

/** That the newest record of the list is older than the limit. Only the list counts: a single record may be old. */
function describeFrozenList({ observations, frozenAfterSeconds }: CycleFacts): string | undefined {
  const ages = observations.flatMap(({ endpoint, isPrimary, staleness }) =>
    endpoints[endpoint].role === "list" && isPrimary && staleness?.ages && !staleness.muted
      ? staleness.ages.newest
      : [],
  );
  const newestSeconds = Math.min(...ages);
  if (ages.length === 0 || newestSeconds <= frozenAfterSeconds) return undefined;
  const [age, limit] = [newestSeconds, frozenAfterSeconds].map(describeDuration);
  return `The data may be frozen: the newest record is ${age} old (limit ${limit}).`;
}

/** Decides the exit code: whether there is nothing to report. A cycle without a check proves nothing. */
export const isHealthyCycle = (cycle: CycleFacts): boolean =>
  cycle.observations.length > 0 &&
  describeFrozenList(cycle) === undefined &&
  cycle.observations.every(
    (observation) =>
      !isUnexpected(observation) &&
      observation.findings.length === 0 &&
      describeNotices(observation, cycle.nowMs).length === 0,
  );

function describeFailures(failed: readonly Observation[]): string {
  const [outcome, ...others] = new Set(failed.map(describeOutcome));
  return others.length === 0 && outcome ? outcome : "with different errors";
}

function summarise(cycle: CycleInput, hasNotable: boolean): string[] {
  const { baseUrl, observations, sentKey } = cycle;
  const main = mainObservations(observations);
  const failed = main.filter((observation) => observation.outcome.kind !== "ok" && !isUnsent(observation));
  const lines: string[] = [];
  if (failed.length > 0 && failed.length === main.length && main.length > 1) {
    lines.push(`All ${plural(main.length, "endpoint")} fail: ${describeFailures(failed)}.`);
    if (!sentKey && failed.every(({ outcome }) => outcome.kind === "unauthorized")) {
      lines.push("No key was sent, and V1 now requires one. Set V1WATCH_API_KEY.");
    }
  } else if (failed.length > 0) {
    const unsent = main.filter(isUnsent).length;
    const names = failed.map(({ endpoint }) => endpoint).join(" and ");
    const rest = unsent > 0 ? `; ${plural(unsent, "endpoint")} could not be checked` : "";
    lines.push(`${names} ${failed.length === 1 ? "fails" : "fail"}: ${describeFailures(failed)}${rest}.`);
    const isPartial = main.some(({ outcome }) => outcome.kind === "ok");
    if (isPartial && failed.every(({ outcome }) => outcome.kind === "unauthorized")) {
      lines.push("The other endpoints are served: this part of V1 may be withdrawn.");
    }
  }
  if (main.some(({ outcome }) => outcome.kind === "refused" && outcome.detail === "address")) {
    // A host name may resolve to this machine as well.
    lines.push(
      isAllowedHost(new URL(baseUrl).hostname, { allowLoopback: true })
        ? "No requests were sent. If V1 is on this machine, add --allow-loopback."
        : "No requests were sent: only public addresses are allowed, and private networks that allowPrivateNetworks names.",
    );
  }
  if (cycle.proxyText !== undefined && main.some(({ outcome }) => isOfProxy(outcome)))
    lines.push(`V1 was not reached through the proxy ${cycle.proxyText}.`);
  const frozen = describeFrozenList(cycle);
  if (frozen !== undefined) lines.push(frozen);
  const retried = observations.filter(
    ({ attempts, outcome }) => attempts.length > 1 && outcome.kind === "ok",
  ).length;
  if (retried > 0)
    lines.push(`${plural(retried, "request")} needed a second attempt: the network is unreliable.`);
  const findings = uniqueFindings(observations);
  const hasResponse = observations.some(({ outcome }) => outcome.kind === "ok");
  if (hasResponse && findings.length > 0) lines.push(summariseFindings(findings));
  else if (hasResponse && lines.length === 0) {
    const unchecked = main.filter(({ outcome }) => outcome.kind !== "ok").map(({ endpoint }) => endpoint);
    const calm = hasNotable ? "The response schema is as documented." : summariseFindings([]);
    lines.push(
      unchecked.length > 0 ? `No findings, but ${unchecked.join(" and ")} could not be checked.` : calm,
    );
  }
  return lines;
}

export function renderCycle(cycle: CycleInput): string {
  const { observations } = cycle;
  // A successful anonymous request is not shown next to authenticated ones: it is only made for comparison.
  const hasAuthenticated = observations.some(({ variant }) => variant === "authenticated");
  const shown = observations.filter(
    ({ variant, outcome }) => variant !== "anonymous" || outcome.kind !== "ok" || !hasAuthenticated,
  );
  const blocks = [shown.map((observation) => renderRow(observation, cycle))];
  const access = describeAccess(observations);
  const notices = renderNotices(cycle);
  if (access) notices.unshift(`  access\t${access}`);
  if (notices.length > 0) blocks.push(notices);
  const findings = uniqueFindings(observations);
  if (findings.length > 0) blocks.push(renderFindings(findings));
  const hasNotable = notices.length > 0 || shown.some(isUnexpected);
  blocks.push(summarise(cycle, hasNotable));
  const filled = blocks.filter((block) => block.length > 0);
  return `${filled.map((block) => block.join("\n")).join("\n\n")}\n`;
}
