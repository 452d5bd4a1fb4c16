import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Config, loadConfig, rareRequests } from "../../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { monthOf, requestsLeft } from "../../../lib/probe/schedule/budget.ts";
import { type Plan, planRequests } from "../../../lib/probe/schedule/plan.ts";
import { applyResults, type RequestResult } from "../../../lib/probe/schedule/probe-state.ts";
import {
  type ConfirmationReason,
  emptyProbeState,
  type ProbeState,
  probeState as probeStateSchema,
} from "../../../lib/records/probe-state.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 10, 1);

const loaded = loadConfig({ fileText: '{ "baseUrl": "https://api.example.com" }', env: {}, flags: {} });
if (!loaded.ok) throw new Error("the default configuration is invalid");
const defaults = loaded.config;

const withBudget = (monthlyRequests: number, from: Config = defaults): Config => ({
  ...from,
  budget: { monthlyRequests },
});
/** Faster than validation allows, so that every limit is reached often. */
const fast: Config = {
  ...defaults,
  cadence: { calm: "1m", confirmation: "10s", confirmFor: "10m", rare: "1h" },
  timeouts: { deadlineMs: 5_000 },
};

type Result = Partial<Pick<RequestResult, "why" | "retryAfterSeconds">>;

const resultsOf = (plan: Plan, atMs: number, result: Result = {}, attempts = 1): RequestResult[] =>
  plan.requests.map((request, index) => ({
    endpoint: request.endpoint,
    variant: request.variant,
    atMs,
    requests: Math.min(attempts, request.attempts) + (plan.lookup && index === 0 ? 1 : 0),
    ...result,
  }));

const names = (plan: Plan) => plan.requests.map((request) => `${request.endpoint} ${request.variant}`);
const authenticatedOnly = (plan: Plan) =>
  plan.requests.filter((request) => request.variant === "authenticated");
const allAuthenticated = endpointIds.map((endpoint) => `${endpoint} authenticated`);

/** A probe state in which all endpoints and rare variants were requested at the same time. */
function checkedAt(atMs: number, spent = 0): ProbeState {
  const rows = [
    ...endpointIds.map((endpoint) => ({ endpoint, variant: "authenticated" as const })),
    ...rareRequests(defaults),
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

const anyResult = fc.record(
  {
    why: fc.constantFrom("unauthorized", "status", "timeout", "drift"),
    retryAfterSeconds: fc.integer({ min: 0, max: 4_000 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Result>;
const withoutRetryAfter = fc.record(
  { why: fc.constantFrom("unauthorized", "status") },
  { requiredKeys: [] },
) as fc.Arbitrary<Result>;
const step = (waits: fc.Arbitrary<number>, results = anyResult) =>
  fc.record({
    waitMs: waits,
    result: results,
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
    base: fc.constantFrom(defaults, fast),
    budget: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: 6_000 })),
    passports: fc.constantFrom("auto" as const, [1]),
  })
  .map(({ base, budget, passports }) =>
    withBudget(budget, { ...base, samples: { ...base.samples, passports } }),
  );

describe("planRequests, over any sequence of ticks and results", () => {
  test("never exceeds the month's budget or 20 requests in 10 s", () => {
    fc.assert(
      fc.property(
        configs,
        fc.array(step(waiting, withoutRetryAfter), { minLength: 20, maxLength: 120 }),
        (config, steps) => {
          let probeState = emptyProbeState;
          let nowMs = start + 20 * day;
          const sent: Sent[] = [];
          for (const { waitMs, result, attempts, retryMs } of steps) {
            nowMs += waitMs;
            const done = resultsOf(planRequests(nowMs, probeState, config), nowMs, result, attempts);
            probeState = applyResults(probeState, done);
            for (const { endpoint, atMs, requests } of done) {
              sent.push({ endpoint, atMs, requests: 1 });
              // A retry is sent later, and the next tick follows it.
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

  test("keeps the same limits for three functions that plan without seeing each other", () => {
    fc.assert(
      fc.property(configs, fc.array(step(waiting, withoutRetryAfter), { maxLength: 80 }), (config, steps) => {
        let probeState = emptyProbeState;
        let nowMs = start + 20 * day;
        const sent: Sent[] = [];
        for (const { waitMs, result, attempts } of steps) {
          nowMs += waitMs;
          const seen = probeState;
          for (const endpoint of endpointIds) {
            const done = resultsOf(planRequests(nowMs, seen, config, endpoint), nowMs, result, attempts);
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

  test("neither exceeds the budget nor stops checking when the clock jumps back and forth", () => {
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
          for (const { waitMs, result, attempts } of steps) {
            nowMs = Math.max(start, nowMs + waitMs);
            const done = resultsOf(planRequests(nowMs, probeState, config), nowMs, result, attempts);
            sent.push(...done);
            probeState = applyResults(probeState, done);
          }
          for (const spent of spentByMonth(sent)) expect(spent).toBeLessThanOrEqual(budget);
          // Whatever the state, a day of ticks with enough budget checks every endpoint.
          const large = withBudget(1_000_000);
          const checked = new Set<string>();
          for (let tick = nowMs; tick <= nowMs + day + hour; tick += 10 * minute) {
            const plan = planRequests(tick, probeState, large);
            for (const name of names(plan)) checked.add(name);
            probeState = applyResults(probeState, resultsOf(plan, tick));
          }
          expect([...checked]).toEqual(expect.arrayContaining(allAuthenticated));
        },
      ),
      { numRuns: 100 },
    );
  });

  test("honours Retry-After, also for a list request that only finds a sample", () => {
    fc.assert(
      fc.property(
        configs,
        fc.array(step(waiting), { maxLength: 60 }),
        fc.boolean(),
        (config, steps, perEndpointFunctions) => {
          let probeState = emptyProbeState;
          let nowMs = start;
          const notBefore = new Map<EndpointId, number>();
          for (const { waitMs, result, attempts } of steps) {
            nowMs += waitMs;
            for (const only of perEndpointFunctions ? endpointIds : [undefined]) {
              const plan = planRequests(nowMs, probeState, config, only);
              const done = resultsOf(plan, nowMs, {}, attempts);
              for (const { endpoint } of done)
                expect(notBefore.get(endpoint) ?? 0).toBeLessThanOrEqual(nowMs);
              if (plan.lookup) expect(notBefore.get("passport-list") ?? 0).toBeLessThanOrEqual(nowMs);
              // Any one of the requests may be the one whose response has a Retry-After.
              const limited = done[waitMs % Math.max(1, done.length)];
              probeState = applyResults(
                probeState,
                done.map((row) => (row === limited ? { ...row, ...result } : row)),
              );
              if (limited && result.retryAfterSeconds !== undefined) {
                notBefore.set(limited.endpoint, nowMs + result.retryAfterSeconds * second);
              }
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("plans one catch-up after any pause, and the next tick is in the future", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 31 * minute, max: 400 * day }),
        fc.integer({ min: 0, max: 50 * second }),
        (pauseMs, soonMs) => {
          const before = checkedAt(start);
          const resumedMs = start + pauseMs;
          const plan = planRequests(resumedMs, before, defaults);
          expect(authenticatedOnly(plan)).toHaveLength(3);
          expect(plan.nextTickMs).toBeGreaterThan(resumedMs);
          const after = planRequests(
            resumedMs + soonMs,
            applyResults(before, resultsOf(plan, resumedMs)),
            defaults,
          );
          expect(after.requests).toEqual([]);
          expect(after.nextTickMs).toBe(resumedMs + 30 * minute);
        },
      ),
    );
  });

  test("does not depend on the order of a tick's results, nor on which function applies its results first", () => {
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

/**
 * Runs ticks at a steady rate with results from `resultAt`. Returns the longest gap between authenticated
 * requests and the most rare requests in one tick.
 */
function simulate(
  config: Config,
  from: ProbeState,
  fromMs: number,
  untilMs: number,
  everyMs: number,
  resultAt: (atMs: number) => Result,
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
    const result = resultAt(tick);
    // A failed check was retried wherever the plan allowed it.
    probeState = applyResults(probeState, resultsOf(plan, tick, result, result.why ? 2 : 1));
  }
  longestGapMs = Math.max(longestGapMs, untilMs - lastMs);
  return { probeState, longestGapMs, mostRare, counts };
}

describe("planRequests, over a month", () => {
  const december = Date.UTC(2026, 11, 1);
  const january = Date.UTC(2027, 0, 1);

  test("checks everything as often as configured while V1 is healthy, with one rare variant at a time", () => {
    const { counts, longestGapMs, mostRare } = simulate(
      defaults,
      emptyProbeState,
      december,
      january,
      minute,
      () => ({}),
    );
    expect(longestGapMs).toBeLessThanOrEqual(30 * minute);
    expect(mostRare).toBe(1);
    for (const name of allAuthenticated) expect(counts[name]).toBeGreaterThanOrEqual(31 * 48 - 20);
    for (const request of rareRequests(defaults)) {
      const count = counts[`${request.endpoint} ${request.variant}`];
      expect(count).toBeGreaterThanOrEqual(30);
      expect(count).toBeLessThanOrEqual(32);
    }
    expect(Object.keys(counts).some((name) => name.includes("bad-key"))).toBe(false);
  });

  test("keeps the calm cadence until the end of a month with a permanent incident", () => {
    // The failure reason changes in every tick, so every failed check starts a new confirmation.
    const flip = (atMs: number): Result => ({
      why: (atMs / minute) % 2 ? "status" : "unauthorized",
    });
    const { probeState, longestGapMs } = simulate(defaults, emptyProbeState, december, january, minute, flip);
    expect(longestGapMs).toBeLessThanOrEqual(30 * minute);
    expect(probeState.spent["2026-12"]).toBeLessThanOrEqual(5_000);
  });

  test("stretches the calm cadence when the budget is too small, and uses the whole budget", () => {
    for (const [spent, fromDay] of [
      [4_000, 2],
      [4_700, 10],
      [4_990, 20],
      [4_998, 29],
    ] as const) {
      const from = december + fromDay * day;
      const { probeState, longestGapMs } = simulate(
        defaults,
        checkedAt(from - hour, spent),
        from,
        january,
        5 * minute,
        () => ({}),
      );
      expect(requestsLeft(january - 1, probeState, defaults)).toBe(0);
      const even = (january - from) / Math.ceil((5_000 - spent) / 3);
      expect(longestGapMs).toBeLessThanOrEqual(even + hour + 30 * minute);
    }
  });

  test("uses requests that a pause left unspent for confirmations", () => {
    const late = january - 10 * day;
    const flip = (atMs: number): Result => ({
      why: (atMs / minute) % 2 ? "status" : "timeout",
    });
    const withSpare = simulate(defaults, checkedAt(late - hour, 0), late, late + day, minute, flip);
    const withoutSpare = simulate(defaults, checkedAt(late - hour, 3_400), late, late + day, minute, flip);
    expect(withSpare.counts["passport authenticated"] ?? 0).toBeGreaterThan(
      2 * (withoutSpare.counts["passport authenticated"] ?? 0),
    );
  });

  test("starts a new budget when the month ends", () => {
    const exhausted = checkedAt(january - hour, 5_000);
    const plan = planRequests(january - minute, exhausted, defaults);
    expect(plan).toEqual({
      requests: [],
      lookup: false,
      deferred: [{ reason: "all 5,000 requests of this month are used; the next request is on 2027-01-01" }],
      nextTickMs: january,
    });
    expect(names(planRequests(january, exhausted, defaults))).toEqual(
      expect.arrayContaining(allAuthenticated),
    );
    expect(requestsLeft(january, exhausted, defaults)).toBe(5_000);
  });
});

describe("planRequests, in one tick", () => {
  const tick = start + 10 * day;
  const failedCheck = (why: ConfirmationReason, endpoint: EndpointId = "passport") =>
    applyResults(checkedAt(tick), [{ endpoint, variant: "authenticated", atMs: tick, requests: 0, why }]);

  test("plans an authenticated request for every endpoint, with one retry each", () => {
    const plan = planRequests(tick, checkedAt(tick - 30 * minute), defaults);
    expect(plan.requests.filter((request) => request.variant === "authenticated")).toEqual(
      endpointIds.map((endpoint) => ({ endpoint, variant: "authenticated", attempts: 2 })),
    );
  });

  test("accepts a tick that is a second early", () => {
    expect(
      authenticatedOnly(planRequests(tick, checkedAt(tick - 30 * minute + second), defaults)),
    ).toHaveLength(3);
    expect(authenticatedOnly(planRequests(tick, checkedAt(tick - 29 * minute), defaults))).toHaveLength(0);
  });

  test("confirms a failed check within a minute, with the list if a sample is needed", () => {
    const plan = planRequests(tick + minute, failedCheck("status"), defaults);
    expect(names(plan)).toEqual(["passport-list authenticated", "passport authenticated"]);
    const named = { ...defaults, samples: { ...defaults.samples, passports: [1] } };
    expect(names(planRequests(tick + minute, failedCheck("status"), named))).toEqual([
      "passport authenticated",
    ]);
  });

  test("confirms a 401 together with an anonymous request, if there is a key", () => {
    const probeState = failedCheck("unauthorized", "passport-list");
    expect(names(planRequests(tick + minute, probeState, defaults))).toEqual([
      "passport-list authenticated",
      "passport-list anonymous",
    ]);
    expect(names(planRequests(tick + minute, probeState, { ...defaults, key: "none" }))).toEqual([
      "passport-list authenticated",
    ]);
  });

  test("schedules the next tick early enough for a confirmation, and plans nothing in it after successful checks", () => {
    const plan = planRequests(tick, checkedAt(tick - 30 * minute), defaults);
    expect(plan.nextTickMs).toBe(tick + minute);
    const after = planRequests(
      tick + minute,
      applyResults(checkedAt(tick - 30 * minute), resultsOf(plan, tick)),
      defaults,
    );
    expect(after).toMatchObject({ requests: [], deferred: [], nextTickMs: tick + 30 * minute });
  });

  test("stops confirming an unchanged failure after confirmFor, and starts again when the reason changes", () => {
    let probeState = failedCheck("status");
    const again = (atMs: number, why: "status" | "timeout"): RequestResult => ({
      endpoint: "passport",
      variant: "authenticated",
      atMs,
      requests: 1,
      why,
    });
    for (let at = tick + minute; at <= tick + 10 * minute; at += minute) {
      expect(names(planRequests(at, probeState, defaults))).toContain("passport authenticated");
      probeState = applyResults(probeState, [again(at, "status")]);
    }
    expect(planRequests(tick + 11 * minute, probeState, defaults).requests).toEqual([]);
    probeState = applyResults(probeState, [again(tick + 11 * minute, "timeout")]);
    expect(names(planRequests(tick + 12 * minute, probeState, defaults))).toContain("passport authenticated");
  });

  test("does not end a confirmation after a request that was stopped or had no sample", () => {
    const row: RequestResult = {
      ...{ endpoint: "passport", variant: "authenticated", atMs: tick, requests: 1 },
      ...{ why: "timeout" },
    };
    const confirming = applyResults(checkedAt(tick - minute), [row]);
    const { why: _, ...rest } = row;
    const stopped = applyResults(confirming, [{ ...rest, atMs: tick + minute, isInconclusive: true }]);
    expect(stopped.endpoints.passport?.confirmation).toEqual(confirming.endpoints.passport?.confirmation);
    expect(stopped.endpoints.passport?.lastMs.authenticated).toBe(tick + minute);
    const succeeded = applyResults(confirming, [{ ...rest, atMs: tick + minute }]);
    expect(succeeded.endpoints.passport?.confirmation).toBeUndefined();
  });

  test("ends a confirmation only after a successful authenticated check", () => {
    const success = (variant: "authenticated" | "anonymous"): RequestResult => ({
      endpoint: "passport",
      variant,
      atMs: tick + second,
      requests: 1,
    });
    expect(
      applyResults(failedCheck("status"), [success("anonymous")]).endpoints.passport?.confirmation,
    ).toBeDefined();
    expect(
      applyResults(failedCheck("status"), [success("authenticated")]).endpoints.passport?.confirmation,
    ).toBeUndefined();
  });

  test("does not confirm a 401 of an anonymous request, because V1 may require a key", () => {
    const row = { endpoint: "passport", atMs: tick + minute, requests: 1 } as const;
    const refused: RequestResult = { ...row, variant: "anonymous", why: "unauthorized" };
    const confirmationOf = (probeState: ProbeState) => probeState.endpoints.passport?.confirmation;
    expect(confirmationOf(applyResults(checkedAt(tick), [refused]))).toBeUndefined();
    expect(confirmationOf(applyResults(failedCheck("unauthorized"), [refused]))).toEqual({
      why: "unauthorized",
      sinceMs: tick,
    });
    const served: RequestResult = { ...row, variant: "authenticated" };
    expect(confirmationOf(applyResults(failedCheck("unauthorized"), [served, refused]))).toBeUndefined();
    expect(confirmationOf(applyResults(checkedAt(tick), [{ ...refused, why: "status" }]))).toBeDefined();
  });

  test("near the end of the budget, drops rare variants first, then retries and confirmations, then stretches the calm cadence", () => {
    const due = (spent: number) => {
      const probeState = { ...checkedAt(tick - 30 * minute, spent) };
      const endpoints = Object.fromEntries(
        endpointIds.map((id) => [id, { lastMs: { authenticated: tick - 30 * minute } }]),
      );
      return planRequests(tick, { ...probeState, endpoints }, defaults);
    };
    const needed = 20 * 48 * 3;
    const sufficient = due(5_000 - needed - 300);
    expect(sufficient.requests).toHaveLength(4);
    const tight = due(5_000 - needed - 100);
    expect(names(tight)).toEqual(allAuthenticated);
    expect(tight.requests.every(({ attempts }) => attempts === 2)).toBe(true);
    expect(tight.deferred[0]?.reason).toBe(
      "a rare variant is not sent, because the rest of the budget is reserved; 2,980 requests are left until 2026-12-01",
    );
    const exact = due(5_000 - needed);
    expect(exact.requests.every(({ attempts }) => attempts === 1)).toBe(true);
    expect(names(exact)).toEqual(allAuthenticated);
    const short = due(5_000 - needed / 2);
    expect(short.requests).toEqual([]);
    expect(short.deferred).toEqual([
      { reason: "the calm cadence is stretched to 60 min; 1,440 requests are left until 2026-12-01" },
    ]);
    expect(short.nextTickMs).toBeGreaterThan(tick + 29 * minute);
    const withoutSpare = { ...failedCheck("status"), spent: { "2026-11": 5_000 - needed } };
    const refused = planRequests(tick + minute, withoutSpare, defaults);
    expect(refused.requests).toEqual([]);
    expect(refused.deferred[0]).toEqual({
      endpoint: "passport",
      variant: "authenticated",
      reason:
        "a confirmation is not sent, because the calm cadence needs the rest of the budget; 2,880 requests are left until 2026-12-01",
    });
    expect(refused.nextTickMs).toBe(tick + 30 * minute);
  });

  test("names the endpoint with a Retry-After and its time, and checks the others", () => {
    const probeState = applyResults(checkedAt(tick - 30 * minute), [
      {
        endpoint: "passport",
        variant: "authenticated",
        atMs: tick - 30 * minute,
        requests: 1,
        why: "status",
        retryAfterSeconds: 3_600,
      },
    ]);
    const plan = planRequests(tick, probeState, defaults);
    expect(authenticatedOnly(plan).map(({ endpoint }) => endpoint)).toEqual([
      "passport-list",
      "passport-credentials",
    ]);
    expect(plan.deferred).toEqual([
      {
        endpoint: "passport",
        reason: "waiting until 2026-11-11 00:30 UTC, as requested by V1's Retry-After header",
      },
    ]);
  });

  test("limits a Retry-After of a year to a day", () => {
    const wait: RequestResult = {
      endpoint: "passport-list",
      variant: "authenticated",
      atMs: tick,
      requests: 1,
      why: "status",
      retryAfterSeconds: 31_536_000,
    };
    const probeState = applyResults(checkedAt(tick), [wait]);
    expect(planRequests(tick + day - second, probeState, defaults).requests).toEqual([]);
    expect(planRequests(tick + day, probeState, defaults).requests.length).toBeGreaterThan(0);
  });

  test("counts a retry from the latest time at which it may have been sent", () => {
    const sent = (agoMs: number) => ({
      ...checkedAt(tick - hour),
      recent: Array.from({ length: 10 }, () => ({ atMs: tick - agoMs, requests: 2 })),
    });
    const plan = planRequests(tick, sent(19 * second), defaults);
    expect(plan.requests).toEqual([]);
    expect(plan.deferred[0]).toMatchObject({ reason: "the limit of 20 requests in 10 s is reached" });
    expect(plan.nextTickMs).toBe(tick + 10 * second);
    expect(authenticatedOnly(planRequests(tick, sent(20 * second), defaults))).toHaveLength(3);
  });

  test("ignores times that were written before the clock was set back", () => {
    const ahead = { ...checkedAt(tick + hour), recent: [{ atMs: tick + hour, requests: 20 }] };
    expect(authenticatedOnly(planRequests(tick, ahead, defaults))).toHaveLength(3);
    const moved = { ...checkedAt(tick - minute), endpoints: failedCheck("status").endpoints };
    for (const id of endpointIds)
      moved.endpoints[id] = { ...moved.endpoints[id], lastMs: { authenticated: tick - hour } };
    expect(planRequests(tick - hour + minute, moved, defaults).requests).toEqual([]);
  });

  test("takes the confirmation reason from the authenticated check when several checks failed", () => {
    const row = { endpoint: "passport", atMs: tick, requests: 1 } as const;
    const rows: RequestResult[] = [
      { ...row, variant: "anonymous", why: "status", atMs: tick - second },
      { ...row, variant: "authenticated", why: "timeout" },
    ];
    expect(applyResults(emptyProbeState, rows).endpoints.passport?.confirmation).toEqual({
      why: "timeout",
      sinceMs: tick,
    });
  });

  test("counts the list request of a per-endpoint function", () => {
    const plan = planRequests(tick, checkedAt(tick - 30 * minute), defaults, "passport");
    expect(plan.lookup).toBe(true);
    expect(authenticatedOnly(plan)).toEqual([expect.objectContaining({ endpoint: "passport" })]);
    const named = { ...defaults, samples: { ...defaults.samples, passports: [1], wallets: ["0x"] } };
    expect(planRequests(tick, checkedAt(tick - 30 * minute), named, "passport").lookup).toBe(false);
    expect(planRequests(tick, checkedAt(tick - 30 * minute), defaults, "passport-list").lookup).toBe(false);
  });

  test("leaves out a disabled rare variant, and includes bad-key when it is enabled", () => {
    const config = { ...fast, variants: { ...fast.variants, keyword: false, "bad-key": true } };
    const { counts } = simulate(
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
