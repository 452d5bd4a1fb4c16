import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Config, loadConfig, rareRequests } from "../../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { monthOf, requestsLeft } from "../../../lib/probe/schedule/budget.ts";
import { type Plan, planRequests } from "../../../lib/probe/schedule/plan.ts";
import { applyResults, type RequestResult } from "../../../lib/probe/schedule/probe-state.ts";
import {
  emptyProbeState,
  type ProbeState,
  probeState as probeStateSchema,
  type Suspicion,
} from "../../../lib/records/probe-state.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 10, 1);

const loaded = loadConfig({ fileText: '{ "baseUrl": "https://api.example.com" }', env: {}, flags: {} });
if (!loaded.ok) throw new Error("the default configuration is sound");
const calm = loaded.config;

const withBudget = (monthlyRequests: number, from: Config = calm): Config => ({
  ...from,
  budget: { monthlyRequests },
});
/** Beyond what validation allows, so that every limit is met often. */
const hasty: Config = {
  ...calm,
  cadence: { calm: "1m", confirmation: "10s", confirmFor: "10m", rare: "1h" },
  timeouts: { deadlineMs: 5_000 },
};

type Answer = Partial<Pick<RequestResult, "why" | "retryAfterSeconds">>;

const fine = (plan: Plan, atMs: number, answer: Answer = {}, attempts = 1): RequestResult[] =>
  plan.requests.map((request, index) => ({
    endpoint: request.endpoint,
    variant: request.variant,
    atMs,
    requests: Math.min(attempts, request.attempts) + (plan.lookup && index === 0 ? 1 : 0),
    ...answer,
  }));

const names = (plan: Plan) => plan.requests.map((request) => `${request.endpoint} ${request.variant}`);
const authenticatedOnly = (plan: Plan) =>
  plan.requests.filter((request) => request.variant === "authenticated");
const allAuthenticated = endpointIds.map((endpoint) => `${endpoint} authenticated`);

/** A probe state whose endpoints were all asked at one instant, rare variants included. */
function askedAt(atMs: number, spent = 0): ProbeState {
  const rows = [
    ...endpointIds.map((endpoint) => ({ endpoint, variant: "authenticated" as const })),
    ...rareRequests(calm),
  ];
  const probeState = applyResults(
    emptyProbeState,
    rows.map((row) => ({ ...row, atMs, requests: 0 })),
  );
  return { ...probeState, spent: { [monthOf(atMs)]: spent } };
}

type Sent = { endpoint: EndpointId; atMs: number; requests: number };

const sum = (sent: readonly Sent[]) => sent.reduce((total, { requests }) => total + requests, 0);

function spentByMonth(sent: readonly Sent[]): number[] {
  return Object.values(Object.groupBy(sent, ({ atMs }) => monthOf(atMs))).map((rows) => sum(rows ?? []));
}

function mostInTenSeconds(sent: readonly Sent[]): number {
  return Math.max(
    0,
    ...sent.map((first) =>
      sum(sent.filter(({ atMs }) => atMs >= first.atMs && atMs < first.atMs + 10 * second)),
    ),
  );
}

const answer = fc.record(
  {
    why: fc.constantFrom("unauthorized", "status", "timeout", "drift"),
    retryAfterSeconds: fc.integer({ min: 0, max: 4_000 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Answer>;
const rarelyWaiting = fc.record(
  { why: fc.constantFrom("unauthorized", "status") },
  { requiredKeys: [] },
) as fc.Arbitrary<Answer>;
const step = (waits: fc.Arbitrary<number>, answers = answer) =>
  fc.record({
    waitMs: waits,
    answer: answers,
    attempts: fc.integer({ min: 1, max: 2 }),
    retryMs: fc.integer({ min: 0, max: 5_000 }),
  });
const waiting = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 * second }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 40 * minute }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 * day }) },
);
const configs = fc
  .record({
    base: fc.constantFrom(calm, hasty),
    budget: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: 6_000 })),
    passports: fc.constantFrom("auto" as const, [1]),
  })
  .map(({ base, budget, passports }) =>
    withBudget(budget, { ...base, samples: { ...base.samples, passports } }),
  );

describe("over any sequence of ticks and answers", () => {
  test("the month's budget and 20 requests in 10 s are never exceeded", () => {
    fc.assert(
      fc.property(
        configs,
        fc.array(step(waiting, rarelyWaiting), { minLength: 20, maxLength: 120 }),
        (config, steps) => {
          let probeState = emptyProbeState;
          let nowMs = start + 20 * day;
          const sent: Sent[] = [];
          for (const { waitMs, answer, attempts, retryMs } of steps) {
            nowMs += waitMs;
            const done = fine(planRequests(nowMs, probeState, config), nowMs, answer, attempts);
            probeState = applyResults(probeState, done);
            for (const { endpoint, atMs, requests } of done) {
              sent.push({ endpoint, atMs, requests: 1 });
              // A retry comes later, and the next tick after it.
              if (requests > 1) sent.push({ endpoint, atMs: atMs + retryMs, requests: 1 });
            }
            if (done.some(({ requests }) => requests > 1)) nowMs += retryMs;
            expect(probeStateSchema.safeParse(probeState).success).toBe(true);
          }
          for (const spent of Object.values(probeState.spent))
            expect(spent).toBeLessThanOrEqual(config.budget.monthlyRequests);
          expect(mostInTenSeconds(sent)).toBeLessThanOrEqual(20);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("three functions that do not see each other keep the same limits together", () => {
    fc.assert(
      fc.property(configs, fc.array(step(waiting, rarelyWaiting), { maxLength: 80 }), (config, steps) => {
        let probeState = emptyProbeState;
        let nowMs = start + 20 * day;
        const sent: Sent[] = [];
        for (const { waitMs, answer, attempts } of steps) {
          nowMs += waitMs;
          const seen = probeState;
          for (const endpoint of endpointIds) {
            const done = fine(planRequests(nowMs, seen, config, endpoint), nowMs, answer, attempts);
            expect(done.every((row) => row.endpoint === endpoint)).toBe(true);
            probeState = applyResults(probeState, done);
            sent.push(...done);
          }
        }
        for (const spent of spentByMonth(sent))
          expect(spent).toBeLessThanOrEqual(config.budget.monthlyRequests);
        expect(mostInTenSeconds(sent)).toBeLessThanOrEqual(20);
      }),
      { numRuns: 150 },
    );
  });

  test("a clock that jumps back and forth neither overspends nor silences", () => {
    const jump = fc.oneof(
      fc.integer({ min: -90 * day, max: 90 * day }),
      fc.integer({ min: -hour, max: hour }),
    );
    fc.assert(
      fc.property(
        fc.array(step(jump), { maxLength: 60 }),
        fc.integer({ min: 5, max: 200 }),
        (steps, budget) => {
          const config = withBudget(budget);
          let probeState = emptyProbeState;
          let nowMs = start + 200 * day;
          const sent: Sent[] = [];
          for (const { waitMs, answer, attempts } of steps) {
            nowMs = Math.max(start, nowMs + waitMs);
            const done = fine(planRequests(nowMs, probeState, config), nowMs, answer, attempts);
            sent.push(...done);
            probeState = applyResults(probeState, done);
          }
          for (const spent of spentByMonth(sent)) expect(spent).toBeLessThanOrEqual(budget);
          // Whatever was remembered, a day of ticks in a month with room asks every endpoint.
          const roomy = withBudget(1_000_000);
          const asked = new Set<string>();
          for (let tick = nowMs; tick <= nowMs + day + hour; tick += 10 * minute) {
            const plan = planRequests(tick, probeState, roomy);
            for (const name of names(plan)) asked.add(name);
            probeState = applyResults(probeState, fine(plan, tick));
          }
          expect([...asked]).toEqual(expect.arrayContaining(allAuthenticated));
        },
      ),
      { numRuns: 100 },
    );
  });

  test("Retry-After is honoured, also when only a sample is wanted", () => {
    fc.assert(
      fc.property(
        configs,
        fc.array(step(waiting), { maxLength: 60 }),
        fc.boolean(),
        (config, steps, perEndpointFunctions) => {
          let probeState = emptyProbeState;
          let nowMs = start;
          const notBefore = new Map<EndpointId, number>();
          for (const { waitMs, answer, attempts } of steps) {
            nowMs += waitMs;
            for (const only of perEndpointFunctions ? endpointIds : [undefined]) {
              const plan = planRequests(nowMs, probeState, config, only);
              const done = fine(plan, nowMs, {}, attempts);
              for (const { endpoint } of done)
                expect(notBefore.get(endpoint) ?? 0).toBeLessThanOrEqual(nowMs);
              if (plan.lookup) expect(notBefore.get("passport-list") ?? 0).toBeLessThanOrEqual(nowMs);
              // Any one of the requests may be the one that is told to wait.
              const told = done[waitMs % Math.max(1, done.length)];
              probeState = applyResults(
                probeState,
                done.map((row) => (row === told ? { ...row, ...answer } : row)),
              );
              if (told && answer.retryAfterSeconds !== undefined) {
                notBefore.set(told.endpoint, nowMs + answer.retryAfterSeconds * second);
              }
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("after any pause there is one catch-up, and the next tick is in the future", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 31 * minute, max: 400 * day }),
        fc.integer({ min: 0, max: 50 * second }),
        (pauseMs, soonMs) => {
          const before = askedAt(start);
          const wokenMs = start + pauseMs;
          const plan = planRequests(wokenMs, before, calm);
          expect(authenticatedOnly(plan)).toHaveLength(3);
          expect(plan.nextTickMs).toBeGreaterThan(wokenMs);
          const after = planRequests(wokenMs + soonMs, applyResults(before, fine(plan, wokenMs)), calm);
          expect(after.requests).toEqual([]);
          expect(after.nextTickMs).toBe(wokenMs + 30 * minute);
        },
      ),
    );
  });

  test("the order of the answers of a tick does not matter, nor who settles first", () => {
    const row = fc.record(
      {
        endpoint: fc.constantFrom(...endpointIds),
        variant: fc.constantFrom("authenticated", "anonymous", "by-wallet"),
        atMs: fc.integer({ min: start, max: start + 5_000 }),
        requests: fc.integer({ min: 1, max: 3 }),
        why: fc.constantFrom("unauthorized", "status", "drift"),
        retryAfterSeconds: fc.integer({ min: 0, max: 100 }),
      },
      { requiredKeys: ["endpoint", "variant", "atMs", "requests"] },
    ) as fc.Arbitrary<RequestResult>;
    const shuffled = fc
      .array(row, { maxLength: 10 })
      .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })));
    const order = fc.shuffledSubarray([...endpointIds], { minLength: 3 });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), shuffled, order, (earlier, [rows, others], functions) => {
        const before = applyResults(
          emptyProbeState,
          earlier.map((done) => ({ ...done, atMs: done.atMs - 20 * minute })),
        );
        const together = applyResults(before, rows);
        expect(applyResults(before, others)).toEqual(together);
        const perEndpointFunctions = functions.reduce(
          (probeState, endpoint) =>
            applyResults(
              probeState,
              rows.filter((done) => done.endpoint === endpoint),
            ),
          before,
        );
        expect(perEndpointFunctions).toEqual(together);
      }),
      { numRuns: 300 },
    );
  });
});

/** Ticks at a steady rate; answers decided by the caller. Returns gaps of the authenticated requests and rare ones per tick. */
function live(
  config: Config,
  from: ProbeState,
  fromMs: number,
  untilMs: number,
  everyMs: number,
  answerAt: (atMs: number) => Answer,
) {
  let probeState = from;
  let lastMs = fromMs;
  let longestGapMs = 0;
  let mostRare = 0;
  const counts: Record<string, number> = {};
  for (let tick = fromMs; tick < untilMs; tick += everyMs) {
    const plan = planRequests(tick, probeState, config);
    if (plan.requests.length === 0) continue;
    if (names(plan).includes("passport-list authenticated")) {
      longestGapMs = Math.max(longestGapMs, tick - lastMs);
      lastMs = tick;
    }
    mostRare = Math.max(mostRare, plan.requests.length - authenticatedOnly(plan).length);
    for (const name of names(plan)) counts[name] = (counts[name] ?? 0) + 1;
    const answer = answerAt(tick);
    // A suspicious answer was retried wherever that was allowed.
    probeState = applyResults(probeState, fine(plan, tick, answer, answer.why ? 2 : 1));
  }
  longestGapMs = Math.max(longestGapMs, untilMs - lastMs);
  return { probeState, longestGapMs, mostRare, counts };
}

describe("a month", () => {
  const december = Date.UTC(2026, 11, 1);
  const january = Date.UTC(2027, 0, 1);

  test("a calm one asks everything as often as configured, rare variants one at a time", () => {
    const { counts, longestGapMs, mostRare } = live(
      calm,
      emptyProbeState,
      december,
      january,
      minute,
      () => ({}),
    );
    expect(longestGapMs).toBeLessThanOrEqual(30 * minute);
    expect(mostRare).toBe(1);
    for (const name of allAuthenticated) expect(counts[name]).toBeGreaterThanOrEqual(31 * 48 - 20);
    for (const request of rareRequests(calm)) {
      const count = counts[`${request.endpoint} ${request.variant}`];
      expect(count).toBeGreaterThanOrEqual(30);
      expect(count).toBeLessThanOrEqual(32);
    }
    expect(Object.keys(counts).some((name) => name.includes("bad-key"))).toBe(false);
  });

  test("an endless incident at its start never blinds the rest of it", () => {
    // Every answer has another cause than the one before, so every one is suspicious anew.
    const flip = (atMs: number): Answer => ({
      why: (atMs / minute) % 2 ? "status" : "unauthorized",
    });
    const { probeState, longestGapMs } = live(calm, emptyProbeState, december, january, minute, flip);
    expect(longestGapMs).toBeLessThanOrEqual(30 * minute);
    expect(probeState.spent["2026-12"]).toBeLessThanOrEqual(5_000);
  });

  test("with a budget that cannot bear the regular cadence it is stretched, and never stops before the budget is gone", () => {
    for (const [spent, fromDay] of [
      [4_000, 2],
      [4_700, 10],
      [4_990, 20],
      [4_998, 29],
    ] as const) {
      const from = december + fromDay * day;
      const { probeState, longestGapMs } = live(
        calm,
        askedAt(from - hour, spent),
        from,
        january,
        5 * minute,
        () => ({}),
      );
      expect(requestsLeft(january - 1, probeState, calm)).toBe(0);
      const even = (january - from) / Math.ceil((5_000 - spent) / 3);
      expect(longestGapMs).toBeLessThanOrEqual(even + hour + 30 * minute);
    }
  });

  test("what a pause left unspent may be spent on confirmations", () => {
    const late = january - 10 * day;
    const flip = (atMs: number): Answer => ({
      why: (atMs / minute) % 2 ? "status" : "timeout",
    });
    const rested = live(calm, askedAt(late - hour, 0), late, late + day, minute, flip);
    const busy = live(calm, askedAt(late - hour, 3_400), late, late + day, minute, flip);
    expect(rested.counts["passport authenticated"] ?? 0).toBeGreaterThan(
      2 * (busy.counts["passport authenticated"] ?? 0),
    );
  });

  test("its end gives a new budget", () => {
    const spentUp = askedAt(january - hour, 5_000);
    const plan = planRequests(january - minute, spentUp, calm);
    expect(plan).toEqual({
      requests: [],
      lookup: false,
      deferred: [{ reason: "all 5,000 requests of the month are made; the next is on 2027-01-01" }],
      nextTickMs: january,
    });
    expect(names(planRequests(january, spentUp, calm))).toEqual(expect.arrayContaining(allAuthenticated));
    expect(requestsLeft(january, spentUp, calm)).toBe(5_000);
  });
});

describe("a tick", () => {
  const tick = start + 10 * day;
  const suspect = (why: Suspicion, endpoint: EndpointId = "passport") =>
    applyResults(askedAt(tick), [{ endpoint, variant: "authenticated", atMs: tick, requests: 0, why }]);

  test("asks every endpoint with the key, and may retry each once", () => {
    const plan = planRequests(tick, askedAt(tick - 30 * minute), calm);
    expect(plan.requests.filter((request) => request.variant === "authenticated")).toEqual(
      endpointIds.map((endpoint) => ({ endpoint, variant: "authenticated", attempts: 2 })),
    );
  });

  test("a second early is no reason to wait for the next one", () => {
    expect(authenticatedOnly(planRequests(tick, askedAt(tick - 30 * minute + second), calm))).toHaveLength(3);
    expect(authenticatedOnly(planRequests(tick, askedAt(tick - 29 * minute), calm))).toHaveLength(0);
  });

  test("a suspicion is confirmed within a minute, with the list if a sample is needed", () => {
    const plan = planRequests(tick + minute, suspect("status"), calm);
    expect(names(plan)).toEqual(["passport-list authenticated", "passport authenticated"]);
    const named = { ...calm, samples: { ...calm.samples, passports: [1] } };
    expect(names(planRequests(tick + minute, suspect("status"), named))).toEqual(["passport authenticated"]);
  });

  test("a 401 is confirmed beside a request without the key, if there is a key", () => {
    const probeState = suspect("unauthorized", "passport-list");
    expect(names(planRequests(tick + minute, probeState, calm))).toEqual([
      "passport-list authenticated",
      "passport-list anonymous",
    ]);
    expect(names(planRequests(tick + minute, probeState, { ...calm, key: "none" }))).toEqual([
      "passport-list authenticated",
    ]);
  });

  test("after any request the next tick is soon enough to confirm, and asks nothing when all was well", () => {
    const plan = planRequests(tick, askedAt(tick - 30 * minute), calm);
    expect(plan.nextTickMs).toBe(tick + minute);
    const after = planRequests(
      tick + minute,
      applyResults(askedAt(tick - 30 * minute), fine(plan, tick)),
      calm,
    );
    expect(after).toMatchObject({ requests: [], deferred: [], nextTickMs: tick + 30 * minute });
  });

  test("a fault that stays the same is known after a while, another one is new", () => {
    let probeState = suspect("status");
    const again = (atMs: number, why: "status" | "timeout"): RequestResult => ({
      endpoint: "passport",
      variant: "authenticated",
      atMs,
      requests: 1,
      why,
    });
    for (let at = tick + minute; at <= tick + 10 * minute; at += minute) {
      expect(names(planRequests(at, probeState, calm))).toContain("passport authenticated");
      probeState = applyResults(probeState, [again(at, "status")]);
    }
    expect(planRequests(tick + 11 * minute, probeState, calm).requests).toEqual([]);
    probeState = applyResults(probeState, [again(tick + 11 * minute, "timeout")]);
    expect(names(planRequests(tick + 12 * minute, probeState, calm))).toContain("passport authenticated");
  });

  test("a request that was stopped, or had no sample, learns nothing and ends no suspicion", () => {
    const row: RequestResult = {
      ...{ endpoint: "passport", variant: "authenticated", atMs: tick, requests: 1 },
      ...{ why: "timeout" },
    };
    const suspected = applyResults(askedAt(tick - minute), [row]);
    const { why: _, ...rest } = row;
    const stopped = applyResults(suspected, [{ ...rest, atMs: tick + minute, learnedNothing: true }]);
    expect(stopped.endpoints.passport?.suspicion).toEqual(suspected.endpoints.passport?.suspicion);
    expect(stopped.endpoints.passport?.lastMs.authenticated).toBe(tick + minute);
    const answered = applyResults(suspected, [{ ...rest, atMs: tick + minute }]);
    expect(answered.endpoints.passport?.suspicion).toBeUndefined();
  });

  test("only a authenticated answer ends a suspicion", () => {
    const well = (name: "authenticated" | "anonymous"): RequestResult => ({
      endpoint: "passport",
      variant: name,
      atMs: tick + second,
      requests: 1,
    });
    expect(applyResults(suspect("status"), [well("anonymous")]).endpoints.passport?.suspicion).toBeDefined();
    expect(
      applyResults(suspect("status"), [well("authenticated")]).endpoints.passport?.suspicion,
    ).toBeUndefined();
  });

  test("a V1 that wants its key refuses requests without one: that is no reason to look again", () => {
    const row = { endpoint: "passport", atMs: tick + minute, requests: 1 } as const;
    const refused: RequestResult = { ...row, variant: "anonymous", why: "unauthorized" };
    const suspicionOf = (probeState: ProbeState) => probeState.endpoints.passport?.suspicion;
    expect(suspicionOf(applyResults(askedAt(tick), [refused]))).toBeUndefined();
    expect(suspicionOf(applyResults(suspect("unauthorized"), [refused]))).toEqual({
      why: "unauthorized",
      sinceMs: tick,
    });
    const served: RequestResult = { ...row, variant: "authenticated" };
    expect(suspicionOf(applyResults(suspect("unauthorized"), [served, refused]))).toBeUndefined();
    expect(suspicionOf(applyResults(askedAt(tick), [{ ...refused, why: "status" }]))).toBeDefined();
  });

  test("near the budget the rare variants go first, then retries and the confirmation cadence, then the regular cadence stretches", () => {
    const due = (spent: number) => {
      const probeState = { ...askedAt(tick - 30 * minute, spent) };
      const endpoints = Object.fromEntries(
        endpointIds.map((id) => [id, { lastMs: { authenticated: tick - 30 * minute } }]),
      );
      return planRequests(tick, { ...probeState, endpoints }, calm);
    };
    const needed = 20 * 48 * 3;
    const roomy = due(5_000 - needed - 300);
    expect(roomy.requests).toHaveLength(4);
    const tight = due(5_000 - needed - 100);
    expect(names(tight)).toEqual(allAuthenticated);
    expect(tight.requests.every(({ attempts }) => attempts === 2)).toBe(true);
    expect(tight.deferred[0]?.reason).toBe(
      "a rare variant waits for a month with more room; 2,980 requests are left until 2026-12-01",
    );
    const exact = due(5_000 - needed);
    expect(exact.requests.every(({ attempts }) => attempts === 1)).toBe(true);
    expect(names(exact)).toEqual(allAuthenticated);
    const short = due(5_000 - needed / 2);
    expect(short.requests).toEqual([]);
    expect(short.deferred).toEqual([
      { reason: "the regular cadence is stretched to 60 min; 1,440 requests are left until 2026-12-01" },
    ]);
    expect(short.nextTickMs).toBeGreaterThan(tick + 29 * minute);
    const poor = { ...suspect("status"), spent: { "2026-11": 5_000 - needed } };
    const refused = planRequests(tick + minute, poor, calm);
    expect(refused.requests).toEqual([]);
    expect(refused.deferred[0]).toEqual({
      endpoint: "passport",
      variant: "authenticated",
      reason:
        "the confirmation cadence would take from the calm one; 2,880 requests are left until 2026-12-01",
    });
    expect(refused.nextTickMs).toBe(tick + 30 * minute);
  });

  test("an endpoint that asked to wait is named with the time, and the others go on", () => {
    const probeState = applyResults(askedAt(tick - 30 * minute), [
      {
        endpoint: "passport",
        variant: "authenticated",
        atMs: tick - 30 * minute,
        requests: 1,
        why: "status",
        retryAfterSeconds: 3_600,
      },
    ]);
    const plan = planRequests(tick, probeState, calm);
    expect(authenticatedOnly(plan).map(({ endpoint }) => endpoint)).toEqual([
      "passport-list",
      "passport-credentials",
    ]);
    expect(plan.deferred).toEqual([
      { endpoint: "passport", reason: "V1 asked to wait until 2026-11-11 00:30 UTC (Retry-After)" },
    ]);
  });

  test("a Retry-After of a year silences for a day", () => {
    const wait: RequestResult = {
      endpoint: "passport-list",
      variant: "authenticated",
      atMs: tick,
      requests: 1,
      why: "status",
      retryAfterSeconds: 31_536_000,
    };
    const probeState = applyResults(askedAt(tick), [wait]);
    expect(planRequests(tick + day - second, probeState, calm).requests).toEqual([]);
    expect(planRequests(tick + day, probeState, calm).requests.length).toBeGreaterThan(0);
  });

  test("a retry counts from the last instant at which it may have been sent", () => {
    const sent = (agoMs: number) => ({
      ...askedAt(tick - hour),
      recent: Array.from({ length: 10 }, () => ({ atMs: tick - agoMs, requests: 2 })),
    });
    const plan = planRequests(tick, sent(19 * second), calm);
    expect(plan.requests).toEqual([]);
    expect(plan.deferred[0]).toMatchObject({ reason: "20 requests in 10 s are enough" });
    expect(plan.nextTickMs).toBe(tick + 10 * second);
    expect(authenticatedOnly(planRequests(tick, sent(20 * second), calm))).toHaveLength(3);
  });

  test("what a clock wrote before it moved back neither holds nor hurries", () => {
    const ahead = { ...askedAt(tick + hour), recent: [{ atMs: tick + hour, requests: 20 }] };
    expect(authenticatedOnly(planRequests(tick, ahead, calm))).toHaveLength(3);
    const moved = { ...askedAt(tick - minute), endpoints: suspect("status").endpoints };
    for (const id of endpointIds)
      moved.endpoints[id] = { ...moved.endpoints[id], lastMs: { authenticated: tick - hour } };
    expect(planRequests(tick - hour + minute, moved, calm).requests).toEqual([]);
  });

  test("the authenticated answer names the suspicion when several are suspicious", () => {
    const row = { endpoint: "passport", atMs: tick, requests: 1 } as const;
    const rows: RequestResult[] = [
      { ...row, variant: "anonymous", why: "status", atMs: tick - second },
      { ...row, variant: "authenticated", why: "timeout" },
    ];
    expect(applyResults(emptyProbeState, rows).endpoints.passport?.suspicion).toEqual({
      why: "timeout",
      sinceMs: tick,
    });
  });

  test("a function for one endpoint counts its look at the list", () => {
    const plan = planRequests(tick, askedAt(tick - 30 * minute), calm, "passport");
    expect(plan.lookup).toBe(true);
    expect(authenticatedOnly(plan)).toEqual([expect.objectContaining({ endpoint: "passport" })]);
    const named = { ...calm, samples: { ...calm.samples, passports: [1], wallets: ["0x"] } };
    expect(planRequests(tick, askedAt(tick - 30 * minute), named, "passport").lookup).toBe(false);
    expect(planRequests(tick, askedAt(tick - 30 * minute), calm, "passport-list").lookup).toBe(false);
  });

  test("a switch turns a rare variant off, and bad-key on", () => {
    const config = { ...hasty, variants: { ...hasty.variants, keyword: false, "bad-key": true } };
    const { counts } = live(
      withBudget(1_000_000, config),
      emptyProbeState,
      tick,
      tick + 3 * hour,
      minute,
      () => ({}),
    );
    expect(counts["passport-list keyword"]).toBeUndefined();
    expect(counts["passport-list bad-key"]).toBeGreaterThanOrEqual(2);
  });
});
