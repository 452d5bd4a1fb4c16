// Random histories of V1 and of the people who watch it, at any cadence: their times are rounds of checks.
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { type Decision, everything } from "../../lib/records/incident.ts";
import type { Finding } from "../../lib/records/observation.ts";
import { fc } from "../random.ts";
import { type Outcome, type Request, type Service, startMs, type WatchOptions } from "./driver.ts";
import { dayMs, hourMs, minuteMs } from "./observation-builder.ts";

/** How long a history is: some hundred checks. */
export const cadences = {
  "10s": { roundMs: 10_000, rounds: 120 },
  "36m": { roundMs: 36 * minuteMs, rounds: 80 },
  "3h": { roundMs: 3 * hourMs, rounds: 50 },
  "1d": { roundMs: dayMs, rounds: 30 },
} as const;
export type Cadence = keyof typeof cadences;

export const finding = (field: string): Finding => ({
  id: field,
  path: field,
  kind: "missing",
  expected: "number",
  observed: "missing",
  count: 9,
  of: 25,
  level: "breaking",
});

/** What V1 may answer: any status, header or body. */
export const answers: readonly ((atMs: number) => NonNullable<Outcome>)[] = [
  ...[400, 401, 402, 403, 404, 410, 418, 429, 500, 502, 503].map((status) => () => ({ status })),
  () => ({ status: 429, notices: { retryAfterSeconds: 600 } }),
  () => ({ status: 401, notices: { usage: { exhausted: true } } }),
  () => ({ outcome: { kind: "timeout" } }),
  () => ({ outcome: { kind: "network", detail: "refused" } }),
  () => ({ outcome: { kind: "not-json", detail: "html", status: 200 } }),
  () => ({ outcome: { kind: "redirect", status: 302 } }),
  // What keeps a check from being sent is another thing every other day.
  (atMs) => ({
    outcome:
      Math.floor(atMs / dayMs) % 2 === 0
        ? { kind: "no-secret" }
        : { kind: "refused", detail: "proxy-unreachable" },
  }),
  () => ({ notices: { body: "v2-shaped" } }),
  () => ({ notices: { body: "stub-data" } }),
  () => ({ notices: { body: "empty" } }),
  () => ({ notices: { sunset: "2026-04-01T00:00:00.000Z" } }),
  () => ({ notices: { sunset: "2026-03-20T00:00:00.000Z", deprecation: { form: "draft-true" } } }),
  (atMs) => ({ notices: { sunset: new Date(atMs + 30 * dayMs).toISOString() } }),
  (atMs) => ({
    notices: { sunset: new Date(startMs + ((Math.floor(atMs / hourMs) * 977) % 400) * dayMs).toISOString() },
  }),
  () => ({ notices: { warning: 299 } }),
  () => ({ notices: { message: true } }),
  () => ({ findings: [finding("a")] }),
  () => ({ findings: [finding("a"), finding("b")] }),
  () => ({ findings: [finding("c")] }),
  () => ({ timings: { totalMs: 4_500 } }),
  () => ({ staleness: { total: 100 } }),
  () => ({}),
];

const someEndpoints = fc.oneof(
  fc.constant([...endpointIds]),
  fc.subarray([...endpointIds], { minLength: 1, maxLength: 2 }),
);

/** In parts of the history, so that a cadence changes nothing of its shape. */
const someTime = fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000);

const behaviour = fc.record({
  from: someTime,
  /** In rounds. */
  length: fc.oneof(
    fc.integer({ min: 1, max: 30 }).map((tenths) => tenths / 10),
    fc.integer({ min: 3, max: 60 }),
  ),
  /** Comes back after so many rounds, or never. */
  every: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 2, max: 80 }).map((fifths) => fifths / 5),
  ),
  endpoints: someEndpoints,
  variant: fc.constantFrom("all", "all", "authenticated", "anonymous"),
  answer: fc.nat(answers.length - 1),
  share: fc.constantFrom(1, 1, 1, 0.5, 0.33, 0.1),
});
type Behaviour = typeof behaviour extends fc.Arbitrary<infer Value> ? Value : never;

const someSpan = fc.record({ from: someTime, length: someTime.map((part) => part / 4) });

const person = fc.record({
  /** Maintenance windows, mutes and times in which the monitor is off. */
  windows: fc.array(someSpan, { maxLength: 1 }),
  mutes: fc.array(
    fc.record({ span: someSpan, subject: fc.constantFrom(everything, "down", "passport", "sunset") }),
    {
      maxLength: 2,
    },
  ),
  gaps: fc.array(someSpan, { maxLength: 1 }),
  isAcknowledging: fc.boolean(),
});

export const history = fc.record({
  calm: fc.constantFrom<Cadence>("10s", "36m", "3h", "1d"),
  /** How long it is, where that does not follow from the cadence. */
  days: fc.constant<number | undefined>(undefined),
  behaviours: fc.array(behaviour, { minLength: 1, maxLength: 5 }),
  /** V1 ends for good in the last third, or does not. */
  end: fc.option(fc.nat(10)),
  person: fc.option(person),
  hasKey: fc.constantFrom(true, true, true, false),
  phase: fc.nat(11),
  /** The day before had so many messages that the first day has no room. */
  isFull: fc.boolean(),
  seed: fc.nat(100_000),
});
export type RandomHistory = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** At the usual cadence, with so many faults that they meet. */
export const historyOf = (days: number): fc.Arbitrary<RandomHistory> =>
  fc
    .tuple(history, fc.array(behaviour, { minLength: days / 2, maxLength: days }))
    .map(([one, behaviours]) => ({ ...one, calm: "36m", days, behaviours }));

export const lengthMsOf = ({ calm, days }: Pick<RandomHistory, "calm" | "days">) =>
  days === undefined ? cadences[calm].roundMs * cadences[calm].rounds : days * dayMs;
const endPart = 2 / 3;

type Length = Pick<RandomHistory, "calm" | "days">;

const isActive = (one: Behaviour, whole: Length, { atMs, endpoint, variant, random }: Request): boolean => {
  const { roundMs } = cadences[whole.calm];
  const sinceMs = atMs - startMs - one.from * lengthMsOf(whole);
  const inWindowMs = one.every === 0 ? sinceMs : sinceMs % (one.every * roundMs);
  const isTime = sinceMs >= 0 && inWindowMs < (one.every === 0 ? one.length : one.every / 2) * roundMs;
  const isWho = one.variant === "all" || one.variant === variant;
  return isTime && isWho && one.endpoints.includes(endpoint) && random < one.share;
};

export const serviceOf =
  ({ calm, days, behaviours, end }: Length & Pick<RandomHistory, "behaviours" | "end">): Service =>
  (request) => {
    const { atMs, endpoint } = request;
    if (end !== null && atMs - startMs >= endPart * lengthMsOf({ calm, days })) return answers[end]!(atMs);
    const outcome: NonNullable<Outcome> = {};
    for (const one of behaviours)
      if (isActive(one, { calm, days }, request)) Object.assign(outcome, answers[one.answer]!(atMs));
    const { findings } = outcome;
    // The id of a finding names its endpoint.
    if (findings) outcome.findings = findings.map((one) => ({ ...one, id: `${endpoint} ${one.id}` }));
    return outcome;
  };

/** How the history is watched, and what people do meanwhile. */
export function optionsOf({
  calm,
  days,
  person: who,
  hasKey,
  phase,
  isFull,
  seed,
}: RandomHistory): WatchOptions {
  const lengthMs = lengthMsOf({ calm, days });
  const spanOf = ({ from, length }: { from: number; length: number }) => ({
    fromMs: startMs + from * lengthMs,
    untilMs: startMs + (from + length) * lengthMs + minuteMs,
  });
  const text = (ms: number) => new Date(ms).toISOString();
  const decisions = (who?.mutes ?? []).map(({ span, subject }): Decision => {
    const { fromMs, untilMs } = spanOf(span);
    return {
      schema: "v1watch/decision/1",
      kind: "mute",
      subject,
      reason: "known",
      at: text(fromMs),
      until: text(untilMs),
    };
  });
  return {
    days: lengthMs / dayMs,
    calm,
    seed,
    phase: calm === "36m" ? phase : 0,
    hasKey,
    gaps: (who?.gaps ?? []).map(spanOf),
    prepare: ({ messages }) => {
      if (isFull)
        messages.latest = Array.from({ length: 19 }, () => ({
          row: "slow",
          atMs: startMs,
          isOpening: false,
        }));
    },
    settings: {
      decisions,
      maintenance: (who?.windows ?? []).map(spanOf).map(({ fromMs, untilMs }) => ({
        start: text(fromMs),
        end: text(untilMs),
      })),
    },
    decide: ({ id, at, event, severity }) =>
      who?.isAcknowledging && event === "opened" && severity === "page"
        ? { schema: "v1watch/decision/1", kind: "ack", subject: id.split("/")[0]!, reason: "on it", at }
        : undefined,
  };
}

/** One fault that is on and off again, in rounds. */
export const onAndOff = fc
  .record({
    calm: fc.constantFrom<Cadence>("10s", "36m", "3h", "1d"),
    period: fc.integer({ min: 11, max: 29 }).map((tenths) => tenths / 10),
    duty: fc.integer({ min: 4, max: 9 }).map((tenths) => tenths / 10),
    from: fc.integer({ min: 40, max: 80 }).map((tenths) => tenths / 10),
    endpoints: someEndpoints as fc.Arbitrary<EndpointId[]>,
    status: fc.constantFrom(401, 410, 500, 503),
  })
  // A scheduled check of each endpoint sees it each time. What falls between the checks is seen at random.
  .filter(({ period, duty }) => period * duty >= 1);
