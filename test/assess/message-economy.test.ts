// The message economy over random scripts: whatever V1 answers, in whatever order, for 40 days. No law is broken, and every
// announced incident ends or still is bad. V1WATCH_RUNS plays more scripts; `npm run soak` does.
import { expect, test } from "vitest";
import { digestOf } from "../../lib/assess/alerts/scheduled-alerts.ts";
import type { IncidentEvent } from "../../lib/assess/engine-state.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { failureRules } from "../../lib/records/incident.ts";
import type { Finding } from "../../lib/records/observation.ts";
import { fc } from "../random.ts";
import { type Outcome, type Service, startMs, watch } from "./driver.ts";
import { dayMs, hourMs, minuteMs } from "./observation-builder.ts";

const days = 40;

const finding = (field: string): Finding => ({
  id: field,
  path: field,
  kind: "missing",
  expected: "number",
  observed: "missing",
  count: 9,
  of: 25,
  level: "breaking",
});

/** What V1 may answer: any status, header or body. `{ahead}`: a date that moves with the clock. */
const answers: readonly ((atMs: number) => NonNullable<Outcome>)[] = [
  ...[400, 401, 402, 403, 404, 410, 418, 429, 500, 502, 503].map((status) => () => ({ status })),
  () => ({ status: 429, notices: { retryAfterSeconds: 600 } }),
  () => ({ status: 401, notices: { usage: { exhausted: true } } }),
  () => ({ outcome: { kind: "timeout" as const } }),
  () => ({ outcome: { kind: "network" as const, detail: "refused" } }),
  () => ({ outcome: { kind: "not-json" as const, detail: "html", status: 200 } }),
  () => ({ outcome: { kind: "redirect" as const, status: 302 } }),
  () => ({ notices: { body: "v2-shaped" as const } }),
  () => ({ notices: { body: "stub-data" as const } }),
  () => ({ notices: { body: "empty" as const } }),
  () => ({ notices: { sunset: "2026-04-01T00:00:00.000Z" } }),
  () => ({ notices: { sunset: "2026-03-20T00:00:00.000Z", deprecation: { form: "draft-true" as const } } }),
  (atMs) => ({ notices: { sunset: new Date(atMs + 30 * dayMs).toISOString() } }),
  (atMs) => ({ notices: { sunset: new Date(Math.floor(atMs / hourMs) * 977_000_000).toISOString() } }),
  () => ({ notices: { warning: 299 } }),
  () => ({ notices: { message: true as const } }),
  () => ({ findings: [finding("a")] }),
  () => ({ findings: [finding("a"), finding("b")] }),
  () => ({ findings: [finding("c")] }),
  () => ({ timings: { totalMs: 4_500 } }),
  () => ({ staleness: { total: 100 } }),
  () => ({}),
];

const behaviour = fc.record({
  fromMinutes: fc.nat(days * 1_440),
  minutes: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 40, max: 900 }), fc.nat(days * 1_440)),
  /** Comes back after so many minutes, or never. */
  everyMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 7, max: 90 }), fc.constantFrom(180, 720, 1_440)),
  endpoints: fc.oneof(
    fc.constant([...endpointIds]),
    fc.subarray([...endpointIds], { minLength: 1, maxLength: 2 }),
  ),
  variant: fc.constantFrom("all", "all", "authenticated", "anonymous"),
  answer: fc.nat(answers.length - 1),
  share: fc.constantFrom(1, 1, 1, 0.5, 0.33, 0.1),
});
const script = fc.record({
  behaviours: fc.array(behaviour, { minLength: 1, maxLength: 8 }),
  /** V1 ends for good. */
  end: fc.record({ fromMinutes: fc.integer({ min: 1_440, max: 2 * days * 1_440 }), answer: fc.nat(10) }),
  phase: fc.nat(11),
  seed: fc.nat(100_000),
});
type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

const toService =
  ({ behaviours, end }: Script): Service =>
  ({ atMs, endpoint, variant, random }) => {
    const minute = (atMs - startMs) / minuteMs;
    if (minute >= end.fromMinutes) return answers[end.answer]!(atMs);
    const active = behaviours.filter((one) => {
      const sinceMinutes = minute - one.fromMinutes;
      const inWindow = one.everyMinutes === 0 ? sinceMinutes : sinceMinutes % one.everyMinutes;
      const length = one.everyMinutes === 0 ? one.minutes : one.everyMinutes / 2;
      const isWho = one.variant === "all" || one.variant === variant;
      return (
        sinceMinutes >= 0 &&
        inWindow < length &&
        isWho &&
        one.endpoints.includes(endpoint) &&
        random < one.share
      );
    });
    const outcome: NonNullable<Outcome> = {};
    for (const { answer } of active) Object.assign(outcome, answers[answer]!(atMs));
    const { findings } = outcome;
    if (findings) outcome.findings = findings.map((one) => ({ ...one, id: `${endpoint} ${one.id}` }));
    return outcome;
  };

const isFailure = ({ incident }: IncidentEvent) =>
  (failureRules as readonly string[]).includes(incident.rule);
const groupOf = (event: IncidentEvent) => (isFailure(event) ? "failure" : event.incident.rule);

/** The most messages of a list in any 24 h. */
function mostInADay(events: readonly IncidentEvent[], ms = dayMs): number {
  const times = events.map(({ at }) => Date.parse(at));
  return Math.max(0, ...times.map((end) => times.filter((at) => at > end - ms && at <= end).length));
}

function checkLaws(events: readonly IncidentEvent[], label: string): void {
  for (const [group, own = []] of Object.entries(Object.groupBy(events, groupOf))) {
    expect(mostInADay(own), `${label}: ${group}`).toBeLessThanOrEqual(group === "failure" ? 14 : 8);
    const openings = own.filter(({ event, incident }) => event === "opened" && !incident.facts.comesAndGoes);
    expect(mostInADay(openings), `${label}: openings of ${group}`).toBeLessThanOrEqual(
      group === "failure" ? 6 : 3,
    );
    expect(mostInADay(openings, hourMs), `${label}: openings of ${group} an hour`).toBeLessThanOrEqual(2);
  }
  for (const [id, own = []] of Object.entries(Object.groupBy(events, ({ incident }) => incident.id))) {
    const count = (name: string) => own.filter(({ event }) => event === name).length;
    expect(count("opened"), `${label}: ${id} opened`).toBeLessThanOrEqual(1);
    expect(count("resolved"), `${label}: ${id} resolved`).toBeLessThanOrEqual(1);
    const reminders = own.filter(({ event }) => event === "reminder");
    expect(mostInADay(reminders, 20 * hourMs), `${label}: ${id} reminders`).toBeLessThanOrEqual(1);
  }
}

const runs = Number(process.env.V1WATCH_RUNS ?? 3);

test("No law of the message economy is broken, and every announced incident ends or still is bad", {
  timeout: 240_000 + runs * 20_000,
}, () => {
  fc.assert(
    fc.property(script, (one) => {
      const { events, state } = watch(toService(one), { days, phase: one.phase, seed: one.seed });
      checkLaws(events, JSON.stringify(one));
      const open = new Set(state.open.map(({ id }) => id));
      const ended = new Set<string>();
      for (const { event, incident, supersedes = [] } of events) {
        for (const id of supersedes) ended.add(id);
        if (event === "resolved") ended.add(incident.id);
      }
      for (const { event, incident } of events)
        if (event === "opened")
          expect(ended.has(incident.id) || open.has(incident.id), incident.id).toBe(true);
      const endMs = startMs + one.end.fromMinutes * minuteMs;
      // V1 is gone for good: that is announced, and stays so.
      if (endMs < startMs + (days - 2) * dayMs) {
        const names: readonly EndpointId[] = state.open
          .filter(({ row, sent }) => (row === "failure" || row === "throttled") && sent.length > 0)
          .flatMap(({ endpoints }) => endpoints);
        expect(new Set(names).size, JSON.stringify(one)).toBe(endpointIds.length);
      }
    }),
    { numRuns: runs },
  );
});

test("A warning that ended before there was room for its message is in the daily digest, and a page is sent all the same", () => {
  const isSlow = (atMs: number) => atMs > startMs + 5 * hourMs && atMs < startMs + 9 * hourMs;
  const isDown = (atMs: number) => atMs > startMs + 12 * hourMs && atMs < startMs + 14 * hourMs;
  const service: Service = ({ atMs }) => {
    if (isDown(atMs)) return { status: 503 };
    return isSlow(atMs) ? { timings: { totalMs: 4_500 } } : {};
  };
  const sent = Array.from(
    { length: 19 },
    () => ({ row: "slow", atMs: startMs + hourMs, isOpening: false }) as const,
  );
  const { events, state } = watch(service, {
    days: 1,
    prepare: ({ messages }) => void messages.latest.push(...sent),
  });
  expect(events.map(({ event, incident }) => `${event} ${incident.rule}`)).toEqual([
    "opened down",
    "resolved down",
  ]);
  expect(digestOf(state, new Date(startMs).toISOString().slice(0, 10))?.lines).toContainEqual(
    expect.stringMatching(/^Not announced, because the day had too many messages: slow on /),
  );
});
