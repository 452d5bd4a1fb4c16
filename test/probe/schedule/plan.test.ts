import { describe, expect, test } from "vitest";
import { type Config, loadConfig, rareRequests } from "../../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { monthOf, requestsLeft } from "../../../lib/probe/schedule/budget.ts";
import { findNextTick, forgetDue, type Plan, planRequests } from "../../../lib/probe/schedule/plan.ts";
import { applyResults, type RequestResult } from "../../../lib/probe/schedule/probe-state.ts";
import {
  emptyProbeState,
  type ProbeState,
  probeState as probeStateSchema,
} from "../../../lib/records/probe-state.ts";
import { fc } from "../../random.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** A midnight is a slot of the list. */
const start = Date.UTC(2026, 10, 1);

const loaded = loadConfig({ fileText: '{ "baseUrl": "https://api.example.com" }', env: {}, flags: {} });
if (!loaded.ok) throw new Error("the default configuration is sound");
const usual = loaded.config;

const withBudget = (monthlyRequests: number, from: Config = usual): Config => ({
  ...from,
  budget: { monthlyRequests },
});
/** Beyond what validation allows, so that every limit is met often. */
const hasty: Config = {
  ...usual,
  cadence: { calm: "1m", confirm: "10s", rare: "1h" },
  timeouts: { deadlineMs: 5_000 },
};

type Response = Partial<
  Pick<RequestResult, "isGood" | "kind" | "faults" | "retryAfterSeconds"> & { attempts: number }
>;
const good: Response = { isGood: true };
const bad: Response = { isGood: false };
const unauthorized: Response = { isGood: false, kind: "unauthorized" };

/** What a probe makes of a plan where V1 responds as `respond` says. */
function carryOut(
  { requests }: Plan,
  atMs: number,
  respond: (endpoint: EndpointId, variant: RequestResult["variant"], atMs: number) => Response,
): RequestResult[] {
  const results: RequestResult[] = [];
  for (const { endpoint, variant, reason, slotMs, attempts, isIfUnauthorized } of requests) {
    const primary = results.find((row) => row.endpoint === endpoint && row.variant === "authenticated");
    if (isIfUnauthorized && primary?.kind !== "unauthorized") continue;
    const { attempts: wanted = 1, ...row } = respond(endpoint, variant, atMs);
    const sent = Math.min(wanted, attempts);
    results.push({
      ...{ endpoint, variant, reason, atMs, requests: sent, ...row },
      ...(slotMs !== undefined && { slotMs }),
    });
  }
  return results;
}

type Sent = { atMs: number; row: RequestResult };

/** One process, or one function for each endpoint: both as the product runs them, on a virtual clock. */
function watch(options: {
  config?: Config;
  from?: ProbeState;
  fromMs?: number;
  untilMs: number;
  perEndpointFunctions?: boolean;
  respond(endpoint: EndpointId, variant: RequestResult["variant"], atMs: number): Response;
  /** As the assessment would set it. */
  isRateFiring?(atMs: number): boolean;
}): { probeState: ProbeState; sent: Sent[] } {
  const { config = usual, fromMs = start, untilMs, respond, perEndpointFunctions } = options;
  let probeState = options.from ?? emptyProbeState;
  const sent: Sent[] = [];
  let tickMs = fromMs;
  while (tickMs < untilMs) {
    if (options.isRateFiring) probeState = { ...probeState, isRateFiring: options.isRateFiring(tickMs) };
    const seen = probeState;
    for (const only of perEndpointFunctions ? endpointIds : [undefined]) {
      const scope = only ? [only] : endpointIds;
      const results = carryOut(planRequests(tickMs, seen, config, only), tickMs, respond);
      sent.push(...results.map((row) => ({ atMs: tickMs, row })));
      probeState = applyResults(forgetDue(probeState, tickMs, config, scope), results, { tickMs, config });
    }
    const nextMs = perEndpointFunctions ? tickMs + minute : findNextTick(tickMs, probeState, config);
    expect(nextMs).toBeGreaterThan(tickMs);
    tickMs = nextMs;
  }
  return { probeState, sent };
}

const sum = (rows: readonly Sent[]) => rows.reduce((total, { row }) => total + row.requests, 0);

function spentByMonth(sent: readonly Sent[]): number[] {
  return Object.values(Object.groupBy(sent, ({ atMs }) => monthOf(atMs))).map((rows) => sum(rows ?? []));
}

function mostInTenSeconds(sent: readonly Sent[]): number {
  let most = 0;
  let [first, total] = [0, 0];
  for (const { atMs, row } of sent) {
    total += row.requests;
    while (sent[first] && atMs - (sent[first]?.atMs ?? 0) >= 10 * second)
      total -= sent[first++]?.row.requests ?? 0;
    most = Math.max(most, total);
  }
  return most;
}

/** `minutes endpoint variant reason`, after an instant. */
const lines = (sent: readonly Sent[], fromMs: number, untilMs = Infinity) =>
  sent
    .filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
    .map(({ atMs, row }) => `${(atMs - fromMs) / minute} ${row.endpoint} ${row.variant} ${row.reason}`);

describe("the slots of the clock", () => {
  test("give each endpoint a check every 36 minutes, and one endpoint every 12", () => {
    const { sent } = watch({ untilMs: start + day, respond: () => good });
    const primary = sent.filter(({ row }) => row.variant === "authenticated");
    const later = primary.filter(({ atMs }) => atMs > start);
    expect(later.map(({ atMs, row }) => `${(atMs - start) / minute} ${row.endpoint}`).slice(0, 6)).toEqual([
      "12 passport",
      "24 passport-credentials",
      "36 passport-list",
      "48 passport",
      "60 passport-credentials",
      "72 passport-list",
    ]);
    expect(later.every(({ row }) => row.reason === "scheduled")).toBe(true);
    for (const endpoint of endpointIds)
      expect(primary.filter(({ row }) => row.endpoint === endpoint).length).toBeGreaterThanOrEqual(40);
  });

  test("are the same for one function of each endpoint", () => {
    const slots = (perEndpointFunctions: boolean) =>
      watch({ untilMs: start + day, perEndpointFunctions, respond: () => good })
        .sent.filter(({ atMs, row }) => atMs > start && row.variant === "authenticated")
        .map(({ atMs, row }) => `${atMs} ${row.endpoint}`);
    expect(slots(true)).toEqual(slots(false));
  });

  test("are not moved by extra checks", () => {
    const isDown = (atMs: number) => atMs >= start + 100 * minute && atMs < start + 140 * minute;
    const { sent } = watch({ untilMs: start + day, respond: (_e, _v, atMs) => (isDown(atMs) ? bad : good) });
    const scheduled = sent.filter(
      ({ atMs, row }) => atMs > start && row.variant === "authenticated" && row.reason === "scheduled",
    );
    expect(scheduled.map(({ atMs }) => (atMs - start) / minute)).toEqual(
      Array.from({ length: 119 }, (_, index) => (index + 1) * 12),
    );
    expect(sent.some(({ row }) => row.reason === "confirmation")).toBe(true);
  });

  test("begin with a check of every endpoint, so that a new watch knows V1 at once", () => {
    const plan = planRequests(start + 5 * minute, emptyProbeState, usual);
    expect(plan.requests.filter(({ variant }) => variant === "authenticated")).toHaveLength(3);
  });

  test("follow the configured cadence", () => {
    const config = { ...usual, cadence: { ...usual.cadence, calm: "1h" } };
    const { sent } = watch({ config, untilMs: start + 3 * hour, respond: () => good });
    const primary = sent.filter(({ atMs, row }) => atMs > start && row.variant === "authenticated");
    expect(primary.map(({ atMs }) => (atMs - start) / minute)).toEqual([20, 40, 60, 80, 100, 120, 140, 160]);
  });

  test("are made up for once after any pause, and then go on by the clock", () => {
    fc.assert(
      fc.property(fc.integer({ min: 37 * minute, max: 400 * day }), (pauseMs) => {
        const before = watch({ untilMs: start + hour, respond: () => good }).probeState;
        const wokenMs = start + hour + pauseMs;
        const plan = planRequests(wokenMs, before, usual);
        expect(plan.requests.filter(({ variant }) => variant === "authenticated")).toHaveLength(3);
        const after = applyResults(
          before,
          carryOut(plan, wokenMs, () => good),
          { tickMs: wokenMs, config: usual },
        );
        const nextMs = findNextTick(wokenMs, after, usual);
        expect(nextMs).toBeGreaterThan(wokenMs);
        expect(nextMs % (12 * minute)).toBe(0);
        expect(planRequests(nextMs - 1, after, usual).requests).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("confirmation", () => {
  /** The list's slot: at this minute the outage is seen first. */
  const seenMs = start + 6 * hour;
  const failing =
    (endpoints: readonly EndpointId[], forMs: number) => (endpoint: EndpointId, _v: unknown, atMs: number) =>
      endpoints.includes(endpoint) && atMs >= seenMs && atMs < seenMs + forMs ? bad : good;
  const extra = (sent: readonly Sent[], untilMs = seenMs + 30 * minute) =>
    lines(sent, seenMs, untilMs).filter((line) => !line.endsWith("scheduled"));
  const all = (step: number, reason: string) =>
    endpointIds.map((endpoint) => `${step} ${endpoint} authenticated ${reason}`);

  test.each([
    ["all endpoints", endpointIds, 10 * hour, [...all(1, "confirmation"), ...all(5, "confirmation")]],
    ["one endpoint, once", ["passport-list"], minute, all(1, "confirmation")],
    [
      "one endpoint alone",
      ["passport-list"],
      10 * hour,
      [
        ...all(1, "confirmation"),
        "5 passport-list authenticated confirmation",
        "10 passport-list authenticated confirmation",
        "15 passport-list authenticated confirmation",
      ],
    ],
    [
      "two endpoints",
      ["passport-list", "passport"],
      10 * hour,
      [
        ...all(1, "confirmation"),
        ...all(5, "confirmation"),
        "10 passport-list authenticated confirmation",
        "10 passport authenticated confirmation",
        "15 passport-list authenticated confirmation",
        "15 passport authenticated confirmation",
      ],
    ],
  ] as const)("of a failure of %s", (_name, endpoints, forMs, expected) => {
    for (const perEndpointFunctions of [false, true]) {
      const { sent } = watch({
        untilMs: seenMs + 30 * minute,
        perEndpointFunctions,
        respond: failing(endpoints, forMs),
      });
      expect(extra(sent)).toEqual(expected);
    }
  });

  test("while a rate incident fires is one check of the bad endpoint", () => {
    const { sent } = watch({
      untilMs: seenMs + 30 * minute,
      respond: failing(endpointIds, 10 * hour),
      isRateFiring: () => true,
    });
    expect(extra(sent)).toEqual([
      "1 passport-list authenticated confirmation",
      // The next slots find the other endpoints bad for the first time.
      "13 passport authenticated confirmation",
      "25 passport-credentials authenticated confirmation",
    ]);
  });

  test("while a rate incident fires follows each scheduled failure, known or not, until there are eight in a row", () => {
    for (const response of [bad, { ...bad, faults: ["aaaaaaaa"] }]) {
      const { sent } = watch({
        untilMs: seenMs + 5 * hour,
        respond: (endpoint, _variant, atMs) =>
          endpoint === "passport-list" && atMs >= seenMs - day ? response : good,
        fromMs: start - day,
        isRateFiring: (atMs) => atMs >= seenMs - day,
      });
      const confirmed = sent.filter(({ row }) => row.reason === "confirmation");
      expect(confirmed.map(({ atMs }) => (atMs - confirmed[0]!.atMs) / minute)).toEqual([0, 36, 72, 108]);
    }
  });

  test("of an endpoint is not repeated while it stays bad", () => {
    const { sent } = watch({ untilMs: seenMs + 5 * day, respond: failing(endpointIds, 10 * day) });
    expect(extra(sent, Infinity)).toHaveLength(6);
  });

  test("of a fault beside an old one of another endpoint goes on to 15 minutes", () => {
    const since = seenMs - 9 * hour;
    const { sent } = watch({
      fromMs: start - day,
      untilMs: seenMs + 30 * minute,
      respond: (endpoint, _v, atMs) =>
        (endpoint === "passport-credentials" && atMs >= since) ||
        (endpoint === "passport-list" && atMs >= seenMs)
          ? bad
          : good,
    });
    expect(extra(sent).at(-1)).toBe("15 passport-list authenticated confirmation");
  });

  test("of a difference from the document that was seen within a day is left out", () => {
    const drifting: Response = { isGood: false, faults: ["a1b2c3d4"] };
    // Every third check shows it, as one sample of three would.
    let checks = 0;
    const { sent } = watch({
      untilMs: start + 3 * day,
      respond: (endpoint, variant) =>
        endpoint === "passport" && variant === "authenticated" && ++checks % 3 === 0 ? drifting : good,
    });
    expect(sent.filter(({ row }) => row.reason !== "scheduled").length).toBeLessThanOrEqual(4);
  });

  test("takes about 12 requests for an outage, its end included", () => {
    const { sent } = watch({ untilMs: seenMs + day, respond: failing(endpointIds, 2 * hour) });
    const extras = sent.filter(({ row }) => row.reason !== "scheduled");
    expect(sum(extras)).toBe(12);
  });
});

describe("recovery", () => {
  const downMs = start + 6 * hour;
  const upMs = start + 9 * hour;

  test("is checked 1 and 5 minutes after the first good check, for the endpoints that were bad", () => {
    for (const perEndpointFunctions of [false, true]) {
      const { sent } = watch({
        untilMs: upMs + 30 * minute,
        perEndpointFunctions,
        respond: (_e, _v, atMs) => (atMs >= downMs && atMs < upMs ? bad : good),
      });
      expect(lines(sent, upMs).filter((line) => line.endsWith("recovery"))).toEqual([
        ...endpointIds.map((endpoint) => `1 ${endpoint} authenticated recovery`),
        ...endpointIds.map((endpoint) => `5 ${endpoint} authenticated recovery`),
      ]);
    }
  });

  test("of one endpoint checks that endpoint only", () => {
    const { sent } = watch({
      untilMs: upMs + hour,
      respond: (endpoint, _v, atMs) =>
        endpoint === "passport-list" && atMs >= downMs && atMs < upMs ? bad : good,
    });
    expect(lines(sent, upMs).filter((line) => line.endsWith("recovery"))).toEqual([
      "1 passport-list authenticated recovery",
      "5 passport-list authenticated recovery",
    ]);
  });

  test("is not checked after a single bad check", () => {
    const { sent } = watch({
      untilMs: start + day,
      respond: (_e, _v, atMs) => (atMs === downMs ? bad : good),
    });
    expect(sent.filter(({ row }) => row.reason === "recovery")).toEqual([]);
  });
});

describe("anonymous requests", () => {
  const refusedMs = start + 6 * hour;
  const refuseKey = (_e: EndpointId, variant: string, atMs: number) =>
    atMs >= refusedMs && variant === "authenticated" ? unauthorized : good;

  test("go with every check from the second 401 on, for the first hour", () => {
    for (const perEndpointFunctions of [false, true]) {
      const { sent } = watch({ untilMs: refusedMs + hour, perEndpointFunctions, respond: refuseKey });
      const pairs = lines(sent, refusedMs).filter((line) => !line.startsWith("0 "));
      const keyed = pairs.filter((line) => line.includes(" authenticated "));
      expect(lines(sent, refusedMs).filter((line) => line.startsWith("0 "))).toEqual([
        "0 passport-list authenticated scheduled",
      ]);
      for (const line of keyed) expect(pairs).toContain(line.replace(" authenticated ", " anonymous "));
      expect(keyed.length).toBe(3 + 3 + 4);
    }
  });

  test("are made in two of five slots after that, at most 36 minutes apart, the endpoint rotating", () => {
    for (const perEndpointFunctions of [false, true]) {
      const fromMs = refusedMs + 2 * hour;
      const { sent } = watch({ untilMs: fromMs + 24 * hour, perEndpointFunctions, respond: refuseKey });
      const later = sent.filter(({ atMs, row }) => atMs >= fromMs && row.reason === "scheduled");
      const anonymous = later.filter(({ row }) => row.variant === "anonymous");
      const gaps = anonymous.slice(1).map(({ atMs }, index) => (atMs - anonymous[index]!.atMs) / minute);
      expect(new Set(gaps)).toEqual(new Set([36, 24]));
      expect(anonymous.length / later.length).toBeCloseTo(2 / 5, 1);
      const turns = Object.groupBy(anonymous, ({ row }) => row.endpoint);
      expect(Object.values(turns).map((rows) => rows!.length)).toEqual([
        expect.closeTo(15, -1),
        expect.closeTo(15, -1),
        expect.closeTo(15, -1),
      ]);
    }
  });

  test("that are served again are confirmed a minute later, together with the key of every endpoint", () => {
    const refuseFrom = (untilMs: number) => (_e: EndpointId, _v: string, atMs: number) =>
      atMs >= refusedMs && atMs < untilMs ? unauthorized : good;
    const untilMs = refusedMs + 6 * hour;
    const { sent: refused } = watch({ untilMs, respond: refuseFrom(untilMs) });
    const turn = refused.findLast(({ row }) => row.variant === "anonymous" && row.reason === "scheduled")!;
    const { sent } = watch({ untilMs, respond: refuseFrom(turn.atMs) });
    const confirmed = sent.filter(({ atMs }) => atMs === turn.atMs + minute);
    expect(confirmed.map(({ row }) => `${row.endpoint} ${row.variant}`).sort()).toEqual(
      endpointIds.flatMap((endpoint) => [`${endpoint} anonymous`, `${endpoint} authenticated`]).sort(),
    );
  });

  test("are left out where no key is configured, and where they are switched off", () => {
    for (const config of [
      { ...usual, key: "none" as const },
      { ...usual, variants: { ...usual.variants, anonymous: false } },
    ]) {
      const { sent } = watch({ config, untilMs: refusedMs + 5 * hour, respond: refuseKey });
      expect(sent.filter(({ row }) => row.variant === "anonymous")).toEqual([]);
    }
  });

  test("are at most one a day and endpoint in health, and rare variants at most 250 a month", () => {
    const untilMs = Date.UTC(2027, 0, 1);
    const { sent } = watch({ fromMs: Date.UTC(2026, 11, 1), untilMs, respond: () => good });
    const rare = sent.filter(({ row }) => row.variant !== "authenticated");
    expect(sum(rare)).toBeLessThanOrEqual(250);
    for (const request of rareRequests(usual)) {
      const made = rare.filter(
        ({ row }) => row.endpoint === request.endpoint && row.variant === request.variant,
      );
      expect(made.length).toBeGreaterThanOrEqual(30);
      expect(made.length).toBeLessThanOrEqual(31);
    }
  });
});

describe("Retry-After", () => {
  test("is honoured up to 30 minutes, for scheduled and for extra checks", () => {
    const seenMs = start + 6 * hour;
    const { sent } = watch({
      untilMs: seenMs + 2 * hour,
      respond: (endpoint, _v, atMs) =>
        endpoint === "passport-list" && atMs >= seenMs ? { ...bad, retryAfterSeconds: 86_400 } : good,
    });
    const own = sent.filter(
      ({ atMs, row }) =>
        atMs >= seenMs && row.endpoint === "passport-list" && row.variant === "authenticated",
    );
    const gaps = own.slice(1).map(({ atMs }, index) => (atMs - (own[index]?.atMs ?? 0)) / minute);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30);
    expect(gaps.length).toBeGreaterThanOrEqual(2);
  });

  test("is never undercut, whatever is due", () => {
    const step = fc.record({ waitMs: fc.integer({ min: 0, max: 40 * minute }), seconds: fc.nat(4_000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let [probeState, nowMs] = [emptyProbeState, start];
        const notBefore = new Map<EndpointId, number>();
        for (const { waitMs, seconds } of steps) {
          nowMs += waitMs;
          const results = carryOut(planRequests(nowMs, probeState, usual), nowMs, (endpoint) =>
            endpoint === endpointIds[seconds % 3] ? { ...bad, retryAfterSeconds: seconds } : good,
          );
          for (const { endpoint } of results) expect(notBefore.get(endpoint) ?? 0).toBeLessThanOrEqual(nowMs);
          for (const { endpoint, retryAfterSeconds } of results)
            if (retryAfterSeconds !== undefined)
              notBefore.set(endpoint, nowMs + Math.min(30 * minute, retryAfterSeconds * second));
          probeState = applyResults(probeState, results, { tickMs: nowMs, config: usual });
        }
      }),
      { numRuns: 100 },
    );
  });

  test("is named with its time, and the other endpoints go on", () => {
    const probeState = applyResults(
      emptyProbeState,
      [
        {
          ...{
            endpoint: "passport",
            variant: "authenticated",
            reason: "scheduled",
            atMs: start,
            requests: 1,
          },
          ...bad,
          retryAfterSeconds: 1_500,
        },
      ],
      { tickMs: start, config: usual },
    );
    const plan = planRequests(start + minute, probeState, usual);
    expect(plan.deferred).toEqual([
      { endpoint: "passport", reason: "V1 asked to wait until 2026-11-01 00:25 UTC (Retry-After)" },
    ]);
    const endpoints = new Set(plan.requests.map(({ endpoint }) => endpoint));
    expect(endpoints).toEqual(new Set(["passport-list", "passport-credentials"]));
  });
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
    "at any instant is confirmed on every endpoint within 17 min, and its end within 5 min of the first good check (one function each: %s)",
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
        { numRuns: perEndpointFunctions ? 20 : 60 },
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
    { isGood: false, faults: ["aaaaaaaa"], attempts: 2 },
  ];
  const story = fc.record({
    // 28, 29, 30 and 31 days.
    month: fc.constantFrom(Date.UTC(2027, 1), Date.UTC(2028, 1), Date.UTC(2026, 10), Date.UTC(2026, 11)),
    outages: fc.array(outage, { maxLength: 40 }),
    /** Share of random failures, in percent. */
    random: fc.constantFrom(0, 0, 1, 5, 30, 50),
    isRateFiring: fc.boolean(),
    luck: fc.nat(1_000_000),
  });

  test.each([false, true])(
    "is never exceeded in months of 28 to 31 days with outages of all kinds (one function each: %s)",
    { timeout: 120_000 },
    (perEndpointFunctions) => {
      fc.assert(
        fc.property(story, ({ month, outages, random, isRateFiring, luck }) => {
          const at = new Date(month);
          const untilMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
          let dice = luck;
          const { sent, probeState } = watch({
            fromMs: month,
            untilMs,
            perEndpointFunctions,
            isRateFiring: () => isRateFiring && random > 5,
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
              return response && !(response.kind === "unauthorized" && variant === "anonymous")
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
        { numRuns: perEndpointFunctions ? 2 : 8 },
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
    "holds for any ticks, any budget and a clock that jumps, and no endpoint is left out (one function each: %s)",
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
                ...{ isGood: response.isGood, attempts },
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
        { numRuns: 100 },
      );
    },
  );

  test("keeps 20 requests in 10 s at any cadence", () => {
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
      { numRuns: 100 },
    );
  });

  test("leaves about 1,000 requests for confirmation and recovery in the longest month", () => {
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

  test("whose reserve is spent confirms by scheduled checks only, and says so", () => {
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

  test("that cannot bear the cadence stretches it, and lasts until the month ends", () => {
    const untilMs = Date.UTC(2027, 0, 1);
    for (const [spent, fromDay] of [
      [4_000, 2],
      [4_700, 10],
      [4_985, 20],
    ] as const) {
      const fromMs = Date.UTC(2026, 11, fromDay);
      const from = { ...emptyProbeState, spent: { "2026-12": spent } };
      const { sent } = watch({ from, fromMs, untilMs, respond: () => good });
      expect(sum(sent)).toBeLessThanOrEqual(5_000 - spent);
      const lists = sent.filter(({ row }) => row.endpoint === "passport-list").map(({ atMs }) => atMs);
      const gaps = [...lists.slice(1), untilMs].map((atMs, index) => atMs - (lists[index] ?? 0));
      const evenMs = (untilMs - fromMs) / Math.max(1, Math.floor((5_000 - spent) / 3));
      expect(Math.max(...gaps)).toBeLessThanOrEqual(2.5 * evenMs + hour);
    }
  });

  test("that is used up waits for the next month", () => {
    const january = Date.UTC(2027, 0, 1);
    const spentUp = { ...emptyProbeState, spent: { "2026-12": 5_000 } };
    expect(planRequests(january - minute, spentUp, usual)).toEqual({
      requests: [],
      deferred: [{ reason: "all 5,000 requests of the month are made; the next is on 2027-01-01" }],
    });
    expect(findNextTick(january - minute, spentUp, usual)).toBe(january);
    expect(planRequests(january, spentUp, usual).requests.length).toBeGreaterThanOrEqual(3);
    expect(requestsLeft(january, spentUp, usual)).toBe(5_000);
  });

  test("near its end leaves out the rare variants first, then retries and extra checks", () => {
    const fromMs = Date.UTC(2026, 11, 11);
    const at = (spare: number) => {
      const needed = 21 * 120;
      const pending = [
        { endpoint: "passport-list", variant: "authenticated", atMs: fromMs, reason: "recovery" } as const,
      ];
      const slots = {
        passport: { slotMs: fromMs - 24 * minute, last: {} },
        "passport-list": { slotMs: fromMs, last: {} },
        "passport-credentials": { slotMs: fromMs - 12 * minute, last: {} },
      };
      return planRequests(
        fromMs + 12 * minute,
        { ...emptyProbeState, endpoints: slots, pending, spent: { "2026-12": 5_000 - needed - spare } },
        usual,
      );
    };
    const names = ({ requests }: Plan) => requests.map(({ variant, reason }) => `${variant} ${reason}`);
    expect(names(at(600))).toEqual([
      "authenticated scheduled",
      "authenticated recovery",
      "anonymous scheduled",
    ]);
    expect(names(at(100))).toEqual(["authenticated scheduled", "authenticated recovery"]);
    expect(at(100).requests.every(({ attempts }) => attempts === 2)).toBe(true);
    expect(at(100).deferred[0]?.reason).toMatch(
      /^a rare variant waits for a month with more room; 2,620 requests/,
    );
    expect(names(at(-1))).toEqual(["authenticated scheduled"]);
    expect(at(-1).requests[0]?.attempts).toBe(1);
    expect(at(-1).deferred[0]?.reason).toMatch(/^the reserve for confirmation is spent; /);
  });
});

describe("what is remembered", () => {
  test("does not depend on the order of the results of a tick, nor on which function writes first", () => {
    const row = fc.record(
      {
        endpoint: fc.constantFrom(...endpointIds),
        variant: fc.constantFrom("authenticated", "anonymous", "by-wallet"),
        reason: fc.constantFrom("scheduled", "confirmation", "recovery"),
        atMs: fc.constant(start),
        requests: fc.integer({ min: 1, max: 3 }),
        isGood: fc.boolean(),
        faults: fc.constantFrom(["aaaaaaaa"], ["bbbbbbbb", "cccccccc"]),
        retryAfterSeconds: fc.integer({ min: 0, max: 100 }),
      },
      { requiredKeys: ["endpoint", "variant", "reason", "atMs", "requests"] },
    ) as fc.Arbitrary<RequestResult>;
    const shuffled = fc
      .array(row, { maxLength: 10 })
      .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })));
    const order = fc.shuffledSubarray([...endpointIds], { minLength: 3 });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), shuffled, order, (earlier, [rows, others], functions) => {
        const beforeMs = start - 20 * minute;
        const before = applyResults(
          emptyProbeState,
          earlier.map((one) => ({ ...one, atMs: beforeMs })),
          { tickMs: beforeMs, config: usual },
        );
        const at = { tickMs: start, config: usual };
        const together = applyResults(before, rows, at);
        expect(applyResults(before, others, at)).toEqual(together);
        const oneByOne = functions.reduce(
          (probeState, endpoint) =>
            applyResults(
              probeState,
              rows.filter((one) => one.endpoint === endpoint),
              at,
            ),
          before,
        );
        expect(oneByOne).toEqual(together);
      }),
      { numRuns: 100 },
    );
  });

  test("of a check that says nothing about V1 ends no run of bad checks", () => {
    const row = { endpoint: "passport", variant: "authenticated", reason: "scheduled", requests: 1 } as const;
    const at = (tickMs: number) => ({ tickMs, config: usual });
    const suspected = applyResults(emptyProbeState, [{ ...row, atMs: start, isGood: false }], at(start));
    const stopped = applyResults(suspected, [{ ...row, atMs: start + minute }], at(start + minute));
    expect(stopped.endpoints.passport?.bad).toEqual(suspected.endpoints.passport?.bad);
    expect(stopped.endpoints.passport?.last.authenticated).toEqual({ atMs: start + minute });
    const served = applyResults(
      suspected,
      [{ ...row, atMs: start + minute, isGood: true }],
      at(start + minute),
    );
    expect(served.endpoints.passport?.bad).toBeUndefined();
  });

  test("of an anonymous 401 is no failure of V1", () => {
    const row = { endpoint: "passport", variant: "anonymous", reason: "scheduled", requests: 1 } as const;
    const after = applyResults(emptyProbeState, [{ ...row, atMs: start, ...unauthorized }], {
      tickMs: start,
      config: usual,
    });
    expect(after.endpoints.passport?.bad).toBeUndefined();
    expect(after.pending).toEqual([]);
  });
});
