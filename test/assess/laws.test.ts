// The laws of the judgement over random histories; a failure prints its seed.
import { describe, expect, test } from "vitest";
import { renderAlert } from "../../lib/assess/alerts/render-alert.ts";
import { foldTick, groupTicks } from "../../lib/assess/fold.ts";
import { readOutlook } from "../../lib/assess/outlook.ts";
import { freshState } from "../../lib/assess/state.ts";
import {
  exitCodeOf,
  firingIncidents,
  readSchedule,
  readVerdict,
  severityOf,
} from "../../lib/assess/verdict.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { alert as alertSchema } from "../../lib/records/alert.ts";
import { failureRules, type Incident, incident as incidentSchema } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { fc } from "../random.ts";
import { auditAll } from "./auditor.ts";
import {
  type Outcome,
  type Request,
  type Service,
  settings,
  startMs,
  type Watched,
  watch,
} from "./driver.ts";
import { anyHistory, dayMs, hourMs, minuteMs } from "./observation-builder.ts";

/** A fault: when, for how long, where, for whom and what; in a share of the checks. */
const fault = fc.record({
  fromMinutes: fc.integer({ min: 6 * 60, max: 3 * 24 * 60 }),
  minutes: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 90, max: 30 * 60 })),
  endpoints: fc.oneof(
    fc.constant([...endpointIds]),
    fc.subarray([...endpointIds], { minLength: 1, maxLength: 2 }),
  ),
  variant: fc.constantFrom("all", "authenticated", "anonymous"),
  outcome: fc.constantFrom<object>(
    { status: 503 },
    { status: 500 },
    { status: 401 },
    { status: 403 },
    { status: 410 },
    { status: 429 },
    { outcome: { kind: "timeout" } },
    { outcome: { kind: "not-json", detail: "html", status: 200 } },
    { notices: { body: "v2-shaped" } },
    { notices: { sunset: "2026-09-01T00:00:00.000Z" } },
    { notices: { deprecation: { form: "draft-true" } } },
    {
      findings: [
        {
          id: "score retyped string",
          path: "score",
          kind: "retyped",
          expected: "number",
          observed: "string",
          count: 9,
          of: 25,
          level: "breaking",
        },
      ],
    },
    { timings: { totalMs: 4_000 } },
  ),
  share: fc.constantFrom(1, 1, 1, 0.5, 0.15),
});
type Fault = typeof fault extends fc.Arbitrary<infer T> ? T : never;

const serviceOf =
  (faults: readonly Fault[]): Service =>
  (request: Request) => {
    const hit = faults.find(({ fromMinutes, minutes, endpoints, variant, share }) => {
      const fromMs = startMs + fromMinutes * minuteMs;
      const isTime = request.atMs >= fromMs && request.atMs < fromMs + minutes * minuteMs;
      const isWho = variant === "all" || variant === request.variant;
      return isTime && isWho && endpoints.includes(request.endpoint) && request.random < share;
    });
    const { findings, ...outcome } = (hit?.outcome ?? {}) as NonNullable<Outcome>;
    // The id of a finding names its endpoint.
    const named = findings?.map((one) => ({ ...one, id: `${request.endpoint} ${one.id}` }));
    return { ...outcome, ...(named && { findings: named }) };
  };

const histories = fc.record({
  faults: fc.array(fault, { minLength: 1, maxLength: 3 }),
  phase: fc.nat(11),
  seed: fc.nat(10_000),
});

/** Who installs the watch may do so because V1 is in trouble: faults are there with the first checks. */
const earlyHistories = histories.map((history) => ({
  ...history,
  faults: history.faults.map((one) => ({ ...one, fromMinutes: one.fromMinutes % 180 })),
}));

type RandomHistory = { faults: Fault[]; phase: number; seed: number };

/** All laws have the same seed and so the same histories: each is played once. */
const played = new Map<string, Watched>();

function play(history: RandomHistory): Watched {
  const key = JSON.stringify(history);
  const known =
    played.get(key) ??
    watch(serviceOf(history.faults), { days: 4, phase: history.phase, seed: history.seed });
  played.set(key, known);
  return known;
}

/** Throttling is about our own request rate. */
const isFailure = ({ rule }: Incident) =>
  rule !== "throttled" && (failureRules as readonly string[]).includes(rule);

const runs = { numRuns: 25 };
const timeout = 240_000;

describe("laws over random histories", () => {
  test.each([
    ["", histories],
    [" of a watch that begins with faults", earlyHistories],
  ])(
    "Every number and instant of every alert%s can be recomputed from the observations",
    { timeout },
    (_, given) => {
      fc.assert(
        fc.property(given, (history) => {
          const { events, observations } = play(history);
          const alerts = events.map((event) => renderAlert(event, settings));
          for (const alert of alerts) alertSchema.parse(alert);
          for (const { incident } of events) incidentSchema.parse(incident);
          expect(auditAll(alerts, observations)).toEqual([]);
          expect(new Set(alerts.map(({ id }) => id)).size).toBe(alerts.length);
        }),
        runs,
      );
    },
  );

  test("A page has at least 3 bad checks over 5 min, and whatever was opened is resolved once or still firing", {
    timeout,
  }, () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { events, state } = play(history);
        for (const { event, incident } of events) {
          if (event !== "opened" || incident.severity !== "page") continue;
          expect(incident.facts.bad).toBeGreaterThanOrEqual(3);
          expect(
            Date.parse(incident.facts.lastBadAt) - Date.parse(incident.facts.firstBadAt),
          ).toBeGreaterThanOrEqual(4.5 * minuteMs);
        }
        const opened = events.filter(({ event }) => event === "opened").map(({ incident }) => incident.id);
        for (const id of opened) {
          const resolved = events.filter(
            ({ event, incident }) => event === "resolved" && incident.id === id,
          ).length;
          const isFiring = state.incidents.some((one) => one.id === id && one.state === "firing");
          const isSuperseded = state.resolved.some((one) => one.id === id && one.supersededBy !== undefined);
          expect(resolved + Number(isFiring) + Number(isSuperseded)).toBe(1);
          // Receivers learn from a message of the other incident that this one was replaced.
          if (isSuperseded) expect(events.some(({ supersedes }) => supersedes?.includes(id))).toBe(true);
        }
      }),
      runs,
    );
  });

  test("No rule opens more than 2 incidents an hour and 6 a day for the same endpoints", { timeout }, () => {
    fc.assert(
      fc.property(histories, (history) => {
        const opened = play(history).events.filter(({ event }) => event === "opened");
        const nameOf = ({ rule, endpoints }: Incident) => `${rule} ${endpoints.toSorted().join()}`;
        for (const { incident, at } of opened) {
          const openedWithin = (ms: number) =>
            opened.filter(
              (one) =>
                nameOf(one.incident) === nameOf(incident) &&
                one.at <= at &&
                Date.parse(at) - Date.parse(one.at) < ms,
            ).length;
          expect(openedWithin(hourMs)).toBeLessThanOrEqual(2);
          expect(openedWithin(dayMs)).toBeLessThanOrEqual(6);
        }
      }),
      runs,
    );
  });

  test("What is claimed of V1 holds of V1", { timeout }, () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { events, observations } = play(history);
        for (const { event, incident, at } of events) {
          if (event !== "opened" && event !== "changed") continue;
          const { rule, scope, endpoints, facts } = incident;
          expect(scope === "api").toBe(endpoints.length === endpointIds.length);
          const fromAt = facts.causes?.at(-1)?.from ?? facts.firstBadAt;
          const since = observations.filter(
            (one) => endpoints.includes(one.endpoint) && one.at >= fromAt && one.at <= at,
          );
          const isServed = ({ outcome }: Observation) => outcome.kind === "ok";
          if (rule === "key-refused") {
            const isAnonymous = ({ variant }: Observation) => variant === "anonymous";
            expect(since.filter((one) => !isAnonymous(one) && isServed(one))).toEqual([]);
            const wasServed = observations.some(
              (one) => isAnonymous(one) && isServed(one) && one.at < facts.firstBadAt,
            );
            // Where anonymous was never served, the text says that the two cannot be distinguished.
            expect(!wasServed || since.some((one) => isAnonymous(one) && isServed(one))).toBe(true);
          }
          if (rule === "maybe-retired" || rule === "retired")
            expect(since.filter((one) => one.at >= facts.lastBadAt && isServed(one))).toEqual([]);
          if (rule === "retired")
            expect(Date.parse(at) - Date.parse(fromAt)).toBeGreaterThanOrEqual(24 * hourMs);
        }
      }),
      runs,
    );
  });

  // That the checks themselves come in time is shown with the real plan, in test/replay/total-outage.test.ts.
  test("RESOLVED of a failure that does not come and go is sent with the first check that proves five good minutes", {
    timeout,
  }, () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { events, observations } = play(history);
        for (const { event, incident, at } of events) {
          const { endpoints, lastBadAt, firstGoodAfterAt, comesAndGoes } = incident.facts;
          if (event !== "resolved" || !isFailure(incident) || comesAndGoes) continue;
          const good = observations.filter(
            (one) => one.isPrimary && endpoints.includes(one.endpoint) && one.at > lastBadAt,
          );
          const proof = good.find(
            (one, index) =>
              Date.parse(one.at) - Date.parse(firstGoodAfterAt ?? "") >= 5 * minuteMs - 15_000 &&
              index >= 2 &&
              endpoints.every((endpoint) =>
                good.slice(0, index + 1).some((other) => other.endpoint === endpoint),
              ),
          );
          expect(proof).toBeDefined();
          expect(Date.parse(at) - Date.parse(proof?.at ?? "")).toBeLessThanOrEqual(minuteMs);
        }
      }),
      runs,
    );
  });

  test("The headline, the exit code and the outlook follow from the same incidents", { timeout }, () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { state } = play(history);
        const nowMs = startMs + 4 * dayMs;
        const outlook = readOutlook(state, settings, nowMs);
        const schedule = readSchedule(settings, undefined);
        const verdict = readVerdict({ state, outlook, schedule, nowMs: Date.parse(state.lastAt ?? "") });
        const [leading] = firingIncidents(state);
        expect(verdict.incident?.id).toBe(leading?.id);
        if (leading) expect(severityOf(verdict)).toBe(leading.severity);
        expect(exitCodeOf(verdict)).toBe(leading ? 1 : verdict.kind === "unknown" ? 2 : 0);
        expect(outlook.level === "retired").toBe(
          state.incidents.some(({ rule, state: name }) => rule === "retired" && name === "firing"),
        );
      }),
      runs,
    );
  });

  test("The same observations give the same state, whatever the order of arrival", { timeout }, () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, salt) => {
        const { observations, state } = play(history);
        const shuffled = observations
          .map((one, index) => ({ one, rank: (index * 7_919 + salt) % 1_009 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ one }) => one);
        const again = freshState();
        for (const tick of groupTicks(shuffled)) foldTick(again, tick, settings);
        expect(again).toEqual(state);
      }),
      { numRuns: 12 },
    );
  });

  test("Any observations that the schema allows fold into a state that is plain JSON", { timeout }, () => {
    fc.assert(
      fc.property(anyHistory(60), (observations) => {
        const state = freshState();
        for (const tick of groupTicks(observations))
          for (const event of foldTick(state, tick, settings))
            alertSchema.parse(renderAlert(event, settings));
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        readOutlook(state, settings, Date.UTC(2026, 11, 1));
      }),
      { numRuns: 60 },
    );
  });

  test("Rates count scheduled checks only", () => {
    const { events } = watch(
      ({ atMs, random }) => (atMs > startMs + dayMs && random < 0.12 ? { status: 502 } : {}),
      { days: 4 },
    );
    const opened = events.find(({ incident }) => incident.rule === "error-rate");
    expect(opened?.incident.facts.total).toBeLessThanOrEqual(120);
  });

  test("One check of any kind sends nothing", { timeout }, () => {
    fc.assert(
      fc.property(fault, (one) => {
        let isDone = false;
        const service: Service = (request) => {
          if (
            isDone ||
            request.atMs < startMs + one.fromMinutes * minuteMs ||
            request.variant !== "authenticated"
          )
            return {};
          isDone = true;
          return one.outcome;
        };
        expect(watch(service, { days: 4 }).events).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});
