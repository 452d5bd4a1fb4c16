// A cycle as a person reads it: a line an endpoint, what differs, and one sentence at the end.
import {
  describeDuration,
  describeFreshness,
  describeNotices,
  describeOutcome,
  isExpectedRefusal,
  plural,
} from "../assess/words.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { isAllowedHost } from "../probe/addresses.ts";
import type { Case, Finding, Observation } from "../records/observation.ts";
import { renderFindings, summariseFindings } from "./findings.ts";

export type CycleText = {
  baseUrl: string;
  observations: readonly Observation[];
  nowMs: number;
  frozenAfterSeconds: number;
  sentKey: boolean;
};

/** The case that stands for V1 as its clients see it; the others are named. */
const leadingCase = (observations: readonly Observation[]) => (hasKeyed(observations) ? "keyed" : "keyless");

const label = ({ endpoint, case: asked }: Observation, leading: Case) =>
  asked === leading ? endpoint : `${endpoint} ${asked}`;

/** Our own side could not ask, or not judge: it says nothing about V1. */
const isUnjudged = ({ outcome }: Observation) => outcome.kind === "refused" || outcome.kind === "no-secret";

const hasBreaking = ({ findings }: Observation) => findings.some(({ level }) => level === "breaking");

function renderRow(observation: Observation, width: number, leading: Case): string {
  const { outcome, timings, staleness } = observation;
  const failed = isUnjudged(observation) ? "?" : isExpectedRefusal(observation) ? "ok" : "FAIL";
  const word = outcome.kind === "ok" ? (hasBreaking(observation) ? "DRIFT" : "ok") : failed;
  const time = `${Math.round(timings.totalMs)} ms`.padStart(8);
  const rest = outcome.kind === "ok" ? describeFreshness(staleness) : describeOutcome(observation);
  const tried =
    observation.attempts.length < 2 ? "" : outcome.kind === "ok" ? " · second attempt" : " · two attempts";
  return `  ${label(observation, leading).padEnd(width)}  ${word.padEnd(5)} ${time}   ${rest}${tried}`;
}

const hasKeyed = (observations: readonly Observation[]) =>
  observations.some(({ case: asked }) => asked === "keyed");

/** One notice that all endpoints give is said once. */
function renderNotices({ observations, nowMs }: CycleText): string[] {
  const byLine = new Map<string, Set<EndpointId>>();
  for (const observation of observations) {
    for (const line of describeNotices(observation, nowMs)) {
      const endpoints = byLine.get(line) ?? new Set();
      byLine.set(line, endpoints.add(observation.endpoint));
    }
  }
  return [...byLine].map(([line, endpoints]) => {
    const where = endpoints.size === endpointIds.length ? "all endpoints" : [...endpoints].join(", ");
    return `  retirement  ${line} (${where})`;
  });
}

/** Keyed beside keyless: what the pair says about the key. */
export function judgeKeys(observations: readonly Observation[]): string | undefined {
  const keyless = observations.find(({ case: asked }) => asked === "keyless");
  const keyed = observations.find(
    ({ case: asked, endpoint }) => asked === "keyed" && endpoint === keyless?.endpoint,
  );
  if (!keyless || !keyed) return undefined;
  const [withKey, without] = [keyed.outcome.kind, keyless.outcome.kind];
  if (withKey === "ok" && without === "unauthorized")
    return "requests without a key get 401: the key is mandatory";
  if (withKey === "unauthorized" && without === "ok") {
    return keyed.notices.usage?.exhausted
      ? "requests without a key are served: the key's quota is used up, and V1 itself is alive"
      : "requests without a key are served: the key is revoked or wrong, and V1 itself is alive";
  }
  if (withKey === "unauthorized" && without === "unauthorized") {
    return "401 with a key and without one: V1 may be retired";
  }
  return undefined;
}

/** The same finding in two cases of one endpoint is one finding. */
function uniqueFindings(observations: readonly Observation[]): Finding[] {
  return [
    ...new Map(
      observations.flatMap(({ findings }) => findings.map((finding) => [finding.id, finding])),
    ).values(),
  ];
}

/** The age of the newest record that the list shows, where it is beyond the limit: one passport alone may be old. */
export function findFrozenAge(
  observations: readonly Observation[],
  limitSeconds: number,
): number | undefined {
  const leading = leadingCase(observations);
  const ages = observations.flatMap(({ endpoint, case: asked, staleness }) =>
    endpoint === "passport-list" && asked === leading && staleness?.ages && !staleness.muted
      ? [staleness.ages.newest]
      : [],
  );
  const youngest = ages.length > 0 ? Math.min(...ages) : 0;
  return youngest > limitSeconds ? youngest : undefined;
}

function describeFailures(failed: readonly Observation[]): string {
  const [words, ...others] = new Set(failed.map(describeOutcome));
  return others.length === 0 && words ? words : "each in its own way";
}

function summarise(
  { baseUrl, observations, frozenAfterSeconds, sentKey }: CycleText,
  isRemarkable: boolean,
): string[] {
  const main = observations.filter(({ case: asked }) => asked === leadingCase(observations));
  const failed = main.filter((observation) => observation.outcome.kind !== "ok" && !isUnjudged(observation));
  const lines: string[] = [];
  if (failed.length > 0 && failed.length === main.length && main.length > 1) {
    lines.push(`All ${plural(main.length, "endpoint")} fail: ${describeFailures(failed)}.`);
    if (!sentKey && failed.every(({ outcome }) => outcome.kind === "unauthorized")) {
      lines.push("No key was sent: V1 asks for one now. Set V1WATCH_API_KEY.");
    }
  } else if (failed.length > 0) {
    const unjudged = main.filter(isUnjudged).length;
    const names = failed.map(({ endpoint }) => endpoint).join(" and ");
    const rest = unjudged > 0 ? `; ${plural(unjudged, "endpoint")} could not be judged` : "";
    lines.push(`${names} ${failed.length === 1 ? "fails" : "fail"}: ${describeFailures(failed)}${rest}.`);
    const isPart = main.some(({ outcome }) => outcome.kind === "ok");
    if (isPart && failed.every(({ outcome }) => outcome.kind === "unauthorized")) {
      lines.push("The other endpoints are served: this part of V1 may be withdrawn.");
    }
  }
  if (main.some(({ outcome }) => outcome.kind === "refused" && outcome.detail === "address")) {
    // A name may lead to this machine too.
    lines.push(
      isAllowedHost(new URL(baseUrl).hostname, true)
        ? "V1 was not asked. If it is on this machine, add --allow-loopback."
        : "V1 was not asked: only public addresses are. Name one with --base-url.",
    );
  }
  const frozenAge = findFrozenAge(observations, frozenAfterSeconds);
  if (frozenAge !== undefined) {
    lines.push(
      `The data looks frozen: nothing is newer than ${describeDuration(frozenAge)} (limit ${describeDuration(frozenAfterSeconds)}).`,
    );
  }
  const retried = observations.filter(
    ({ attempts, outcome }) => attempts.length > 1 && outcome.kind === "ok",
  ).length;
  if (retried > 0) lines.push(`${plural(retried, "request")} needed a second attempt: the network is flaky.`);
  const findings = uniqueFindings(observations);
  const answered = observations.some(({ outcome }) => outcome.kind === "ok");
  if (answered && findings.length > 0) lines.push(summariseFindings(findings));
  else if (answered && lines.length === 0)
    lines.push(isRemarkable ? "The shape is as documented." : summariseFindings([]));
  return lines;
}

export function renderCycle(cycle: CycleText): string {
  const { observations } = cycle;
  const leading = leadingCase(observations);
  // The keyless look beside the key speaks only where it has something to say.
  const shown = observations.filter(
    ({ case: asked, outcome }) => asked !== "keyless" || outcome.kind !== "ok" || !hasKeyed(observations),
  );
  const width = Math.max(20, ...shown.map((observation) => label(observation, leading).length));
  const blocks = [shown.map((observation) => renderRow(observation, width, leading))];
  const access = judgeKeys(observations);
  const notices = renderNotices(cycle);
  if (access) notices.unshift(`  access      ${access}`);
  if (notices.length > 0) blocks.push(notices);
  const findings = uniqueFindings(observations);
  if (findings.length > 0) blocks.push(renderFindings(findings));
  const isRemarkable = notices.length > 0 || shown.some(({ outcome }) => outcome.kind !== "ok");
  blocks.push(summarise(cycle, isRemarkable));
  const filled = blocks.filter((block) => block.length > 0);
  return `${filled.map((block) => block.join("\n")).join("\n\n")}\n`;
}
