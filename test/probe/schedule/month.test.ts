// Weeks and months of the scheduler with random outages, budgets and clocks. What one failure leads to is in
// plan.test.ts.
import { describe, expect, test } from "vitest";
import { rareRequests } from "../../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { planRequests } from "../../../lib/probe/schedule/plan.ts";
import { applyResults } from "../../../lib/probe/schedule/probe-state.ts";
import { emptyProbeState, probeState as probeStateSchema } from "../../../lib/records/probe-state.ts";
import { fc, runs } from "../../random.ts";
import {
  bad,
  carryOut,
  day,
  good,
  hasty,
  hour,
  minute,
  mostInTenSeconds,
  type Response,
  type Sent,
  second,
  spentByMonth,
  start,
  sum,
  unauthorized,
  usual,
  watch,
  withBudget,
} from "./virtual-watch.ts";

test("Rare variants and anonymous requests are one a day each in health, and two more on the first day", () => {
  const secondMonthMs = Date.UTC(2027, 0, 1);
  const { sent } = watch({
    fromMs: Date.UTC(2026, 11, 1),
    untilMs: Date.UTC(2027, 1, 1),
    respond: () => good,
  });
  const isRare = ({ row }: Sent) =>
    rareRequests(usual).some(({ endpoint, variant }) => row.endpoint === endpoint && row.variant === variant);
  expect(sent.filter((one) => isRare(one) && one.atMs >= secondMonthMs).length).toBeLessThanOrEqual(250);
  for (const request of rareRequests(usual)) {
    const made = sent.filter(
      ({ atMs, row }) =>
        atMs < secondMonthMs && row.endpoint === request.endpoint && row.variant === request.variant,
    );
    const days = made.map(({ atMs }) => Math.floor(atMs / day));
    const ofDay = (wanted: number) => days.filter((one) => one === wanted).length;
    expect(ofDay(days[0]!)).toBe(3);
    expect(new Set(days).size).toBe(31);
    expect(made.length).toBe(33);
  }
});

describe("a total outage", () => {
  const earlier = fc.record({
    atMs: fc.integer({ min: 3 * hour, max: 20 * hour }),
    lastsMs: fc.oneof(fc.nat(10 * minute), fc.nat(3 * hour)),
    of: fc.integer({ min: 1, max: 7 }),
  });
  const story = fc.record({
    earlier: fc.array(earlier, { maxLength: 3 }),
    onsetMs: fc.integer({ min: 25 * hour, max: 27 * hour }),
    lastsMs: fc.integer({ min: 30 * minute, max: 4 * hour }),
  });

  test.each([false, true])(
    "A total outage at any instant is confirmed on every endpoint within 17 min, and its end within 5 min of the first good check (one function each: %s)",
    (perEndpointFunctions) => {
      fc.assert(
        fc.property(story, ({ earlier, onsetMs, lastsMs }) => {
          const isDown = (endpoint: EndpointId, ms: number) =>
            (ms >= onsetMs && ms < onsetMs + lastsMs) ||
            earlier.some(
              ({ atMs, lastsMs, of }) =>
                ms >= atMs && ms < atMs + lastsMs && of & (1 << endpointIds.indexOf(endpoint)),
            );
          const { sent } = watch({
            untilMs: start + onsetMs + lastsMs + hour,
            perEndpointFunctions,
            respond: (endpoint, _variant, atMs) => (isDown(endpoint, atMs - start) ? bad : good),
          });
          const primary = sent
            .filter(({ row }) => row.variant === "authenticated")
            .map(({ atMs, row }) => ({ ms: atMs - start, row }));
          const failed = primary.filter(({ ms }) => ms >= onsetMs && ms < onsetMs + lastsMs);
          const inTime = failed.filter(({ ms }) => ms <= onsetMs + 17 * minute);
          for (const endpoint of endpointIds)
            expect(inTime.filter(({ row }) => row.endpoint === endpoint).length).toBeGreaterThan(0);
          expect(inTime.length).toBeGreaterThanOrEqual(3);
          expect(inTime.at(-1)!.ms - inTime[0]!.ms).toBeGreaterThanOrEqual(5 * minute);
          const served = primary.filter(({ ms }) => ms >= onsetMs + lastsMs);
          const firstMs = served[0]!.ms;
          expect(firstMs - onsetMs - lastsMs).toBeLessThanOrEqual(12 * minute);
          for (const endpoint of endpointIds) {
            const own = served.filter(
              ({ ms, row }) => row.endpoint === endpoint && ms <= firstMs + 5 * minute,
            );
            expect(own.length).toBeGreaterThan(0);
          }
        }),
        { numRuns: runs(perEndpointFunctions ? 8 : 16) },
      );
    },
  );
});

describe("the month's budget", () => {
  type Outage = { atMs: number; lastsMs: number; of: number; kind: number };
  const outage: fc.Arbitrary<Outage> = fc.record({
    atMs: fc.nat(31 * day),
    lastsMs: fc.oneof(fc.nat(10 * minute), fc.nat(6 * hour), fc.nat(10 * day)),
    of: fc.integer({ min: 1, max: 7 }),
    kind: fc.nat(3),
  });
  const responses: readonly Response[] = [
    bad,
    unauthorized,
    { ...bad, retryAfterSeconds: 600 },
    { class: "ok", findings: "aaaaaaaa", attempts: 2 },
  ];
  const story = fc.record({
    // 28, 29, 30 and 31 days.
    month: fc.constantFrom(Date.UTC(2027, 1), Date.UTC(2028, 1), Date.UTC(2026, 10), Date.UTC(2026, 11)),
    outages: fc.array(outage, { maxLength: 40 }),
    /** Share of random failures, in percent. */
    random: fc.constantFrom(0, 0, 1, 5, 30, 50),
    luck: fc.nat(1_000_000),
  });

  test.each([false, true])(
    "The month's budget is never exceeded in months of 28 to 31 days with outages of all kinds (one function each: %s)",
    (perEndpointFunctions) => {
      fc.assert(
        fc.property(story, ({ month, outages, random, luck }) => {
          const at = new Date(month);
          const untilMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
          let dice = luck;
          const { sent, probeState } = watch({
            fromMs: month,
            untilMs,
            perEndpointFunctions,
            respond(endpoint, variant, atMs) {
              dice = (dice * 1_103_515_245 + 12_345) % 2_147_483_648;
              if (dice % 100 < random) return { ...bad, attempts: 2 };
              const found = outages.find(
                (one) =>
                  atMs - month >= one.atMs &&
                  atMs - month < one.atMs + one.lastsMs &&
                  one.of & (1 << endpointIds.indexOf(endpoint)),
              );
              const response = found && responses[found.kind];
              return response && !(response.class === "unauthorized" && variant === "anonymous")
                ? response
                : good;
            },
          });
          for (const spent of spentByMonth(sent)) expect(spent).toBeLessThanOrEqual(5_000);
          expect(mostInTenSeconds(sent)).toBeLessThanOrEqual(20);
          expect(probeStateSchema.safeParse(probeState).error).toBeUndefined();
          // Whatever happened, every slot that V1 did not ask to leave out had its check.
          if (outages.every(({ kind }) => kind !== 2)) {
            const slots = sent.filter(({ row }) => row.slotMs !== undefined && row.reason === "scheduled");
            expect(slots.length).toBeGreaterThanOrEqual((untilMs - month) / (12 * minute));
          }
        }),
        { numRuns: runs(perEndpointFunctions ? 1 : 3) },
      );
    },
  );

  const step = fc.record({
    waitMs: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 * second }) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 40 * minute }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 * day }) },
      { weight: 1, arbitrary: fc.integer({ min: -40 * day, max: 0 }) },
    ),
    isGood: fc.boolean(),
    isUnauthorized: fc.boolean(),
    attempts: fc.integer({ min: 1, max: 2 }),
  });
  const configs = fc
    .record({
      base: fc.constantFrom(usual, hasty),
      budget: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: 6_000 })),
    })
    .map(({ base, budget }) => withBudget(budget, base));

  test.each([false, true])(
    "The month's budget holds for any ticks, any budget and a clock that jumps, and no endpoint is left out (one function each: %s)",
    (perEndpointFunctions) => {
      fc.assert(
        fc.property(configs, fc.array(step, { minLength: 20, maxLength: 120 }), (config, steps) => {
          let [probeState, nowMs] = [emptyProbeState, start + 200 * day];
          const sent: Sent[] = [];
          for (const { waitMs, attempts, ...response } of steps) {
            nowMs = Math.max(start, nowMs + waitMs);
            const seen = probeState;
            for (const only of perEndpointFunctions ? endpointIds : [undefined]) {
              const plan = planRequests(nowMs, seen, config, only);
              const results = carryOut(plan, nowMs, () => ({
                isGood: response.isGood,
                attempts,
                ...(!response.isGood && response.isUnauthorized && { kind: "unauthorized" as const }),
              }));
              sent.push(...results.map((row) => ({ atMs: nowMs, row })));
              probeState = applyResults(probeState, results, { tickMs: nowMs, config });
            }
            expect(probeStateSchema.safeParse(probeState).error).toBeUndefined();
          }
          for (const spent of spentByMonth(sent))
            expect(spent).toBeLessThanOrEqual(config.budget.monthlyRequests);
          // Whatever was remembered, a day in a month with room checks every endpoint.
          const roomy = withBudget(1_000_000, usual);
          const later = watch({
            config: roomy,
            from: probeState,
            fromMs: nowMs,
            untilMs: nowMs + day,
            respond: () => good,
          });
          for (const endpoint of endpointIds)
            expect(later.sent.some(({ row }) => row.endpoint === endpoint)).toBe(true);
        }),
        { numRuns: runs(30) },
      );
    },
  );

  test("The month's budget keeps 20 requests in 10 s at any cadence", () => {
    const quick = fc.record({
      waitMs: fc.nat(4_000),
      isGood: fc.boolean(),
      attempts: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(
        fc.array(quick, { minLength: 40, maxLength: 150 }),
        fc.boolean(),
        (steps, perEndpointFunctions) => {
          const config = withBudget(1_000_000, {
            ...hasty,
            cadence: { calm: "2s", confirm: "1s", rare: "1h" },
          });
          let [probeState, nowMs] = [emptyProbeState, start];
          const sent: Sent[] = [];
          for (const { waitMs, isGood, attempts } of steps) {
            nowMs += waitMs;
            const seen = probeState;
            for (const only of perEndpointFunctions ? endpointIds : [undefined]) {
              const results = carryOut(planRequests(nowMs, seen, config, only), nowMs, () => ({
                isGood,
                attempts,
              }));
              sent.push(...results.map((row) => ({ atMs: nowMs, row })));
              probeState = applyResults(probeState, results, { tickMs: nowMs, config });
            }
          }
          expect(mostInTenSeconds(sent)).toBeLessThanOrEqual(20);
        },
      ),
      { numRuns: runs(30) },
    );
  });

  test("The month's budget leaves about 1,000 requests for confirmation and recovery in the longest month", () => {
    const december = { fromMs: Date.UTC(2026, 11, 1), untilMs: Date.UTC(2027, 0, 1) };
    const { sent } = watch({ ...december, respond: () => good });
    const spent = sum(sent);
    console.log(`requests of 31 healthy days: ${spent}`);
    expect(spent).toBeLessThanOrEqual(4_000);
    const outages = watch({
      ...december,
      // Forty minutes every day.
      respond: (_e, _v, atMs) => (atMs % day < 40 * minute ? bad : good),
    });
    console.log(`requests of 31 days with an outage each: ${sum(outages.sent)}`);
    expect(sum(outages.sent)).toBeLessThanOrEqual(4_500);
  });

  test.each([false, true])(
    "The month's budget bears a key that is refused for the longest month, and leaves half of the reserve (one function each: %s)",
    (perEndpointFunctions) => {
      const { sent, probeState } = watch({
        fromMs: Date.UTC(2026, 11, 1),
        untilMs: Date.UTC(2027, 0, 1),
        perEndpointFunctions,
        respond: (_e, variant) => (variant === "authenticated" ? unauthorized : good),
      });
      const anonymous = sent.filter(({ row }) => row.variant === "anonymous");
      console.log(`requests of 31 days with a refused key: ${sum(sent)}, anonymous: ${anonymous.length}`);
      expect(sum(sent)).toBeLessThanOrEqual(4_500);
      expect(probeState.isReserveSpent).toBe(false);
    },
  );

  test("The month's budget whose reserve is spent confirms by scheduled checks only, and says so", () => {
    const flapping = watch({
      fromMs: Date.UTC(2026, 11, 1),
      untilMs: Date.UTC(2027, 0, 1),
      // Two good checks, then two bad ones, for ever.
      respond: (_e, _v, atMs) => (Math.floor(atMs / (7 * minute)) % 2 ? { ...bad, attempts: 2 } : good),
    });
    expect(flapping.probeState.isReserveSpent).toBe(true);
    expect(flapping.probeState.pending).toEqual([]);
    const last = flapping.sent.filter(({ atMs }) => atMs >= Date.UTC(2026, 11, 30));
    expect(last.every(({ row }) => row.reason === "scheduled")).toBe(true);
    expect(last.length).toBeGreaterThanOrEqual(2 * 120);
    const january = watch({
      from: flapping.probeState,
      fromMs: Date.UTC(2027, 0, 1),
      untilMs: Date.UTC(2027, 0, 2),
      respond: () => good,
    });
    expect(january.probeState.isReserveSpent).toBe(false);
  });
});
