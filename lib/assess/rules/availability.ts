// Whether V1 gives usable answers at all: down, flaky, slow, or unsafe to read. What a 401, a 404 or a
// redirect means is judged elsewhere; here they are neither good nor bad.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Observation } from "../../records/observation.ts";
import { count, describeOutcome, plural } from "../alerts/text.ts";
import { dayMs, endpointsText } from "../date-text.ts";
import { answerOf, isPrimary, isWithdrawal, type PrimaryState } from "./response-class.ts";

type ResponseClass = "ok" | "failed" | "unsafe" | "elsewhere";

type Run = {
  responseClass: ResponseClass;
  class: string;
  words: string;
  sinceMs: number;
  times: number;
  /** It said itself when to come back: that is its own confirmation, and asking again would be rude. */
  isDeclared: boolean;
  /** Consecutive good answers that took too long. */
  slow: number;
  latencyMs: number;
  atMs: number;
  /** How often other endpoints were asked since. */
  passed: number;
};

export type AvailabilityState = {
  primary: PrimaryState;
  endpoints: Partial<Record<EndpointId, Run>>;
  /** The latest answers, newest last: 1 where the network failed, a second attempt included. */
  window: number[];
  certificateMs?: number;
  /** Consecutive observations without a key to send. */
  anonymous: number;
  /** The last of them; absent in older states. */
  noSecretMs?: number;
  /** Where the last look says nothing about V1: refused, or without a key. Absent in older states. */
  unjudged?: Partial<Record<EndpointId, { words: string; times: number }>>;
};

export const freshAvailability = (): AvailabilityState => ({
  primary: {},
  endpoints: {},
  window: [],
  anonymous: 0,
});

const windowSize = 36;
const flakyFrom = 5;

function responseClassOf(observation: Observation): ResponseClass | undefined {
  const answer = answerOf(observation);
  if (answer === undefined) return undefined;
  const { kind, detail } = observation.outcome;
  if (kind === "ok") return "ok";
  if (kind === "too-large" || kind === "bad-encoding" || (kind === "not-json" && detail === "deep"))
    return "unsafe";
  // 429 is our own request rate, not V1's health.
  return answer === "401" || answer === "429" || isWithdrawal(answer) ? "elsewhere" : "failed";
}

const networkKinds: readonly string[] = ["network", "timeout", "truncated"];

/** A key is sent again, or for a day nobody has looked for one: the watch goes on without. */
function noteSecret(state: AvailabilityState, { outcome, variant: name, at }: Observation): void {
  const atMs = Date.parse(at);
  const isLongAgo = state.noSecretMs !== undefined && atMs - state.noSecretMs > dayMs;
  if (outcome.kind === "no-secret") {
    state.anonymous++;
    state.noSecretMs = atMs;
  } else if (name === "authenticated" || isLongAgo) {
    state.anonymous = 0;
    delete state.noSecretMs;
  }
}

export function noteAvailability(state: AvailabilityState, observation: Observation, slowMs: number): void {
  const { outcome, endpoint, attempts, timings, tls } = observation;
  noteSecret(state, observation);
  if (tls) state.certificateMs = Date.parse(tls.expiresAt);
  const lacksKey = observation.variant === "authenticated" && outcome.kind === "no-secret";
  if (!isPrimary(state.primary, observation) && !lacksKey) return;
  const responseClass = responseClassOf(observation);
  state.unjudged ??= {};
  if (!responseClass) {
    const times = (state.unjudged[endpoint]?.times ?? 0) + 1;
    state.unjudged[endpoint] = { words: describeOutcome(observation), times };
    // Its prober is at work, though there was nothing to ask for.
    const known = state.endpoints[endpoint];
    if (known) state.endpoints[endpoint] = { ...known, atMs: Date.parse(observation.at), passed: 0 };
    return;
  }
  delete state.unjudged[endpoint];
  const before = state.endpoints[endpoint];
  const isNamed = outcome.kind === "refused" || (outcome.kind === "status" && outcome.status !== undefined);
  const name = isNamed ? (answerOf(observation) ?? outcome.kind) : outcome.kind;
  const isSame = before?.responseClass === responseClass;
  const atMs = Date.parse(observation.at);
  const isSlow = responseClass === "ok" && timings.totalMs > slowMs;
  state.endpoints[endpoint] = {
    responseClass,
    class: name,
    words: describeOutcome(observation),
    sinceMs: isSame ? before.sinceMs : atMs,
    times: isSame ? before.times + 1 : 1,
    isDeclared: observation.notices.retryAfterSeconds !== undefined,
    slow: isSlow ? (before?.slow ?? 0) + 1 : 0,
    latencyMs: timings.totalMs,
    atMs,
    passed: 0,
  };
  for (const [other, run] of Object.entries(state.endpoints)) if (other !== endpoint) run.passed++;
  state.window.push(networkKinds.includes(outcome.kind) || attempts.length > 1 ? 1 : 0);
  if (state.window.length > windowSize) state.window.shift();
}

export type Trouble = {
  endpoints: EndpointId[];
  class: string;
  evidence: string[];
  isWide: boolean;
  sinceMs?: number;
};

/** The last answer of each endpoint, and how often it was alike in a row. */
export const runsOf = ({ endpoints }: AvailabilityState) =>
  endpointIds.flatMap((endpoint) => {
    const run = endpoints[endpoint];
    return run ? [{ endpoint, ...run }] : [];
  });

const failuresIn = (window: readonly number[]) => window.reduce((sum, failed) => sum + failed, 0);

/** A 401 or 410 in the place of a failure ends none, until it has been so for long and is a matter of its own. */
const settledChecks = 4;

const isOver = (runs: ReturnType<typeof runsOf>) =>
  runs.some(({ responseClass }) => responseClass === "ok") &&
  runs.every(
    ({ responseClass, times }) =>
      responseClass === "ok" || (responseClass === "elsewhere" && times >= settledChecks),
  );

function judgeResponseClass(
  state: AvailabilityState,
  responseClass: ResponseClass,
  alone: number,
): Trouble | boolean | undefined {
  const runs = runsOf(state);
  const bad = runs.filter((run) => run.responseClass === responseClass);
  if (bad.length === 0) return isOver(runs) ? false : undefined;
  const isWide = bad.length === runs.length && bad.every(({ times, isDeclared }) => times >= 2 || isDeclared);
  const confirmed = isWide ? bad : bad.filter(({ times }) => times >= alone);
  if (confirmed.length === 0) return undefined;
  const classes = [...new Set(confirmed.map((run) => run.class))].sort();
  return {
    endpoints: confirmed.map(({ endpoint }) => endpoint),
    class: classes.slice(0, 3).join(", "),
    evidence: [...new Set(confirmed.map(({ words }) => words))].slice(0, 3).map((words) => {
      const alike = confirmed.filter((run) => run.words === words);
      const times = Math.min(...alike.map((run) => run.times));
      return `${endpointsText(alike.map(({ endpoint }) => endpoint))}: ${words}, ${plural(times, "time")} in a row`;
    }),
    isWide,
    sinceMs: Math.min(...confirmed.map(({ sinceMs }) => sinceMs)),
  };
}

/** A network that fails now and then fails twice in a row by chance: one endpoint alone needs more then. */
export function judgeDown(state: AvailabilityState): Trouble | boolean | undefined {
  return judgeResponseClass(state, "failed", failuresIn(state.window) >= flakyFrom ? 6 : 3);
}

export const judgeUnsafe = (state: AvailabilityState) => judgeResponseClass(state, "unsafe", 2);

/** One outage begins and ends once; a flaky network goes to and fro. */
export function judgeFlaky({ window }: AvailabilityState): Trouble | boolean | undefined {
  const failed = failuresIn(window);
  if (failed === 0) return window.length > 0 ? false : undefined;
  const turns = window.filter((now, index) => index > 0 && now !== window[index - 1]).length;
  if (failed < flakyFrom || turns < flakyFrom) return undefined;
  const evidence = [
    `${failed} of the last ${window.length} requests failed on the network or needed a second attempt`,
  ];
  return { endpoints: [...endpointIds], class: "network", evidence, isWide: false };
}

export function judgeSlow(state: AvailabilityState): Trouble | boolean | undefined {
  const runs = runsOf(state);
  const slow = runs.filter((run) => run.slow >= 3);
  if (slow.length === 0) return runs.some((run) => run.slow > 0) ? undefined : runs.length > 0 && false;
  return {
    endpoints: slow.map(({ endpoint }) => endpoint),
    class: "slow",
    evidence: slow.map(
      ({ endpoint, latencyMs }) => `${endpoint}: the last answer took ${count(Math.round(latencyMs))} ms`,
    ),
    isWide: slow.length === runs.length,
  };
}

/** While the others were asked so often, it was its turn too. */
const passedFrom = 4;

/** Each endpoint has a prober of its own on AWS: one may fall silent while the others go on. */
export function judgeSilent(state: AvailabilityState, silentAfterMs: number): Trouble | boolean | undefined {
  const runs = runsOf(state);
  const newestMs = Math.max(...runs.map(({ atMs }) => atMs));
  const silent = runs.filter(
    // Where V1 said when to come back, we wait on purpose; a day is the longest.
    ({ atMs, passed, isDeclared }) =>
      newestMs - atMs > (isDeclared ? Math.max(dayMs, silentAfterMs) : silentAfterMs) && passed >= passedFrom,
  );
  if (silent.length === 0) return runs.length > 0 && false;
  return {
    endpoints: silent.map(({ endpoint }) => endpoint),
    class: "prober",
    evidence: silent.map(
      ({ endpoint, atMs, passed }) =>
        `${endpoint}: last asked ${new Date(atMs).toISOString().slice(0, 16)}Z, the others ${plural(passed, "time")} since`,
    ),
    isWide: false,
    sinceMs: Math.min(...silent.map(({ atMs }) => atMs)),
  };
}
