// A cycle as a person reads it: a line an endpoint, what differs, and one sentence at the end.
import {
  describeDuration,
  describeFreshness,
  describeNotices,
  describeOutcome,
  plural,
} from "../assess/words.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Finding, Observation } from "../records/observation.ts";
import { renderFindings, summariseFindings } from "./findings.ts";

export type CycleText = {
  observations: readonly Observation[];
  nowMs: number;
  frozenAfterSeconds: number;
  sentKey: boolean;
};

const label = ({ endpoint, case: asked }: Observation) =>
  asked === "keyed" ? endpoint : `${endpoint} ${asked}`;

/** Our own side could not ask, or not judge: it says nothing about V1. */
const isUnjudged = ({ outcome }: Observation) => outcome.kind === "refused" || outcome.kind === "no-secret";

const hasBreaking = ({ findings }: Observation) => findings.some(({ level }) => level === "breaking");

function renderRow(observation: Observation, width: number): string {
  const { outcome, timings, staleness, case: asked } = observation;
  const expected = asked === "unknown-id" || asked === "bad-key";
  const failed = isUnjudged(observation) ? "?" : "FAIL";
  const word = outcome.kind === "ok" ? (hasBreaking(observation) ? "DRIFT" : "ok") : expected ? "ok" : failed;
  const time = `${Math.round(timings.totalMs)} ms`.padStart(8);
  const rest = outcome.kind === "ok" ? describeFreshness(staleness) : describeOutcome(observation);
  const tried = observation.attempts.length > 1 ? " · second attempt" : "";
  return `  ${label(observation).padEnd(width)}  ${word.padEnd(5)} ${time}   ${rest}${tried}`;
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
    return "with a key and without: V1 may have been retired by 401";
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

function summarise(
  { observations, frozenAfterSeconds, sentKey }: CycleText,
  isRemarkable: boolean,
): string[] {
  const main = observations.filter(({ case: asked }) => asked === "keyed");
  const failed = main.filter((observation) => observation.outcome.kind !== "ok" && !isUnjudged(observation));
  const lines: string[] = [];
  if (failed.length > 0 && failed.length === main.length && main.length > 1) {
    const words = new Set(failed.map(describeOutcome));
    const what = words.size === 1 ? [...words][0] : "each in its own way";
    lines.push(`All ${plural(main.length, "endpoint")} fail: ${what}.`);
    if (!sentKey && failed.every(({ outcome }) => outcome.kind === "unauthorized")) {
      lines.push("No key was sent: V1 asks for one now. Set V1WATCH_API_KEY.");
    }
  } else if (failed.length > 0)
    lines.push(
      `${plural(failed.length, "endpoint")} of ${main.length} ${failed.length === 1 ? "fails" : "fail"}.`,
    );
  const newest = main
    .map(({ staleness }) => (staleness?.muted ? undefined : staleness?.ages?.newest))
    .filter((age) => age !== undefined);
  const youngest = newest.length > 0 ? Math.min(...newest) : 0;
  if (youngest > frozenAfterSeconds) {
    lines.push(
      `The data looks frozen: nothing is newer than ${describeDuration(youngest)} (limit ${describeDuration(frozenAfterSeconds)}).`,
    );
  }
  const retried = observations.filter(({ attempts }) => attempts.length > 1).length;
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
  // The keyless look beside the key speaks only where it has something to say.
  const shown = observations.filter(
    ({ case: asked, outcome }) => asked !== "keyless" || outcome.kind !== "ok" || !hasKeyed(observations),
  );
  const width = Math.max(20, ...shown.map((observation) => label(observation).length));
  const blocks = [shown.map((observation) => renderRow(observation, width))];
  const access = judgeKeys(observations);
  const notices = renderNotices(cycle);
  if (access) notices.unshift(`  access      ${access}`);
  if (notices.length > 0) blocks.push(notices);
  const findings = uniqueFindings(observations);
  if (findings.length > 0) blocks.push(renderFindings(findings));
  const isRemarkable = notices.length > 0 || shown.some(({ outcome }) => outcome.kind !== "ok");
  blocks.push(summarise(cycle, isRemarkable));
  return `${blocks.map((block) => block.join("\n")).join("\n\n")}\n`;
}
