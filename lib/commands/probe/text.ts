// A cycle as a person reads it: a line an endpoint, what differs, and one sentence at the end.
import {
  describeDuration,
  describeFreshness,
  describeNotices,
  describeOutcome,
  isExpectedRefusal,
  plural,
} from "../../assess/alerts/text.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import { isAllowedHost } from "../../probe/http/addresses.ts";
import type { Finding, Observation, Variant } from "../../records/observation.ts";
import { renderFindings, summariseFindings } from "../findings.ts";

export type CycleFacts = {
  observations: readonly Observation[];
  nowMs: number;
  frozenAfterSeconds: number;
};
export type CycleText = CycleFacts & { baseUrl: string; sentKey: boolean };

/** The variant that stands for V1 as its clients see it; the others are named. */
const primaryVariant = (observations: readonly Observation[]) =>
  hasAuthenticated(observations) ? "authenticated" : "anonymous";

const label = ({ endpoint, variant: asked }: Observation, primary: Variant) =>
  asked === primary ? endpoint : `${endpoint} ${asked}`;

/** Our own side could not ask, or not judge: it says nothing about V1. */
const isUnjudged = ({ outcome }: Observation) => outcome.kind === "refused" || outcome.kind === "no-secret";

const isUnexpected = (observation: Observation) =>
  observation.outcome.kind !== "ok" && !isExpectedRefusal(observation);

const hasBreaking = ({ findings }: Observation) => findings.some(({ level }) => level === "breaking");

/** Cases whose refusal is what a sane V1 answers, and why. */
const refusable: Partial<Record<Variant, string>> = {
  "unknown-id": "an unknown id",
  "bad-key": "a wrong key",
};

/** A refusal of such a case says nothing where the endpoint refuses what it should serve. */
const isBesideRefusal = (
  { endpoint, variant: asked }: Observation,
  { observations }: CycleText,
  primary: Variant,
) =>
  refusable[asked] !== undefined &&
  observations.some(
    (one) => one.endpoint === endpoint && one.variant === primary && one.outcome.kind !== "ok",
  );

function judgeRow(
  observation: Observation,
  cycle: CycleText,
  primary: Variant,
): { word: string; words: string } {
  const { outcome, staleness } = observation;
  if (outcome.kind === "ok")
    return { word: hasBreaking(observation) ? "DRIFT" : "ok", words: describeFreshness(staleness) };
  const words = describeOutcome(observation);
  if (isUnjudged(observation) || isBesideRefusal(observation, cycle, primary)) return { word: "?", words };
  if (!isExpectedRefusal(observation)) return { word: "FAIL", words };
  return { word: "ok", words: `${outcome.status ?? 401}, as expected of ${refusable[observation.variant]}` };
}

function renderRow(observation: Observation, width: number, cycle: CycleText, primary: Variant): string {
  const { outcome, timings } = observation;
  const { word, words } = judgeRow(observation, cycle, primary);
  const time = `${Math.round(timings.totalMs)} ms`.padStart(8);
  const tried =
    observation.attempts.length < 2 ? "" : outcome.kind === "ok" ? " · second attempt" : " · two attempts";
  return `  ${label(observation, primary).padEnd(width)}  ${word.padEnd(5)} ${time}   ${words}${tried}`;
}

const hasAuthenticated = (observations: readonly Observation[]) =>
  observations.some(({ variant: asked }) => asked === "authenticated");

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

/** Authenticated beside anonymous: what the pair says about the key. */
export function judgeKeys(observations: readonly Observation[]): string | undefined {
  const anonymous = observations.find(({ variant: asked }) => asked === "anonymous");
  const authenticated = observations.find(
    ({ variant: asked, endpoint }) => asked === "authenticated" && endpoint === anonymous?.endpoint,
  );
  if (!anonymous || !authenticated) return undefined;
  const [withKey, without] = [authenticated.outcome.kind, anonymous.outcome.kind];
  if (withKey === "ok" && without === "unauthorized")
    return "requests without a key get 401: the key is mandatory";
  if (withKey === "unauthorized" && without === "ok") {
    return authenticated.notices.usage?.exhausted
      ? "requests without a key are served: the key's quota is used up, and V1 itself is alive"
      : "requests without a key are served: the key is revoked or wrong, and V1 itself is alive";
  }
  if (withKey === "unauthorized" && without === "unauthorized") {
    const authenticatedRows = observations.filter(({ variant: asked }) => asked === "authenticated");
    const isWhole =
      authenticatedRows.length > 1 && authenticatedRows.every(({ outcome }) => outcome.kind !== "ok");
    return isWhole
      ? "401 with a key and without one: V1 may be retired"
      : `401 with a key and without one: ${authenticated.endpoint} may be withdrawn`;
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

/** The list whose newest record is older than the limit, and what to say of it: one passport alone may be old. */
export function findFrozen({ observations, frozenAfterSeconds }: CycleFacts) {
  const primary = primaryVariant(observations);
  const [youngest] = observations
    .flatMap((observation) => {
      const { endpoint, variant: asked, staleness } = observation;
      return endpoint === "passport-list" && asked === primary && staleness?.ages && !staleness.muted
        ? [{ observation, ageSeconds: staleness.ages.newest }]
        : [];
    })
    .sort((a, b) => a.ageSeconds - b.ageSeconds);
  if (!youngest || youngest.ageSeconds <= frozenAfterSeconds) return undefined;
  const [age, limit] = [youngest.ageSeconds, frozenAfterSeconds].map(describeDuration);
  const words = `The data looks frozen: nothing is newer than ${age} (limit ${limit}).`;
  return { observation: youngest.observation, words };
}

function describeFailures(failed: readonly Observation[]): string {
  const [words, ...others] = new Set(failed.map(describeOutcome));
  return others.length === 0 && words ? words : "each in its own way";
}

function summarise(cycle: CycleText, isRemarkable: boolean): string[] {
  const { baseUrl, observations, sentKey } = cycle;
  const main = observations.filter(({ variant: asked }) => asked === primaryVariant(observations));
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
  const frozen = findFrozen(cycle);
  if (frozen) lines.push(frozen.words);
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
  const primary = primaryVariant(observations);
  // The anonymous look beside the key speaks only where it has something to say.
  const shown = observations.filter(
    ({ variant: asked, outcome }) =>
      asked !== "anonymous" || outcome.kind !== "ok" || !hasAuthenticated(observations),
  );
  const width = Math.max(20, ...shown.map((observation) => label(observation, primary).length));
  const blocks = [shown.map((observation) => renderRow(observation, width, cycle, primary))];
  const access = judgeKeys(observations);
  const notices = renderNotices(cycle);
  if (access) notices.unshift(`  access      ${access}`);
  if (notices.length > 0) blocks.push(notices);
  const findings = uniqueFindings(observations);
  if (findings.length > 0) blocks.push(renderFindings(findings));
  const isRemarkable = notices.length > 0 || shown.some(isUnexpected);
  blocks.push(summarise(cycle, isRemarkable));
  const filled = blocks.filter((block) => block.length > 0);
  return `${filled.map((block) => block.join("\n")).join("\n\n")}\n`;
}
