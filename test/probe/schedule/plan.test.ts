// What is requested when, on a virtual clock. Weeks and months of it are in month.test.ts.
import { describe, expect, test } from "vitest";
import type { EndpointId } from "../../../lib/contract/endpoints.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { requestsLeft } from "../../../lib/probe/schedule/budget.ts";
import { findNextTick, type Plan, planRequests } from "../../../lib/probe/schedule/plan.ts";
import { applyResults, type RequestResult } from "../../../lib/probe/schedule/probe-state.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import { fc } from "../../random.ts";
import {
  bad,
  carryOut,
  day,
  good,
  hour,
  lines,
  minute,
  type Sent,
  second,
  start,
  sum,
  unauthorized,
  usual,
  watch,
} from "./virtual-watch.ts";

describe("the slots of the clock", () => {
  test("The slots of the clock give each endpoint a check every 36 minutes, and one endpoint every 12", () => {
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

  test("The slots of the clock are the same for one function of each endpoint", () => {
    const slots = (perEndpointFunctions: boolean) =>
      watch({ untilMs: start + 3 * hour, perEndpointFunctions, respond: () => good })
        .sent.filter(({ atMs, row }) => atMs > start && row.variant === "authenticated")
        .map(({ atMs, row }) => `${atMs} ${row.endpoint}`);
    expect(slots(true)).toEqual(slots(false));
  });

  test("The slots of the clock are not moved by extra checks", () => {
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

  test("The slots of the clock begin with a check of every endpoint, so that a new watch knows V1 at once", () => {
    const plan = planRequests(start + 5 * minute, emptyProbeState, usual);
    expect(plan.requests.filter(({ variant }) => variant === "authenticated")).toHaveLength(3);
  });

  test("The slots of the clock follow the configured cadence", () => {
    const config = { ...usual, cadence: { ...usual.cadence, calm: "1h" } };
    const { sent } = watch({ config, untilMs: start + 3 * hour, respond: () => good });
    const primary = sent.filter(({ atMs, row }) => atMs > start && row.variant === "authenticated");
    expect(primary.map(({ atMs }) => (atMs - start) / minute)).toEqual([20, 40, 60, 80, 100, 120, 140, 160]);
  });

  test("The slots of the clock are made up for once after any pause, and then go on by the clock", () => {
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
  const seenMs = start + 72 * minute;
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
        "5 passport-list authenticated confirmation",
        "5 passport authenticated confirmation",
        "10 passport-list authenticated confirmation",
        "10 passport authenticated confirmation",
        "15 passport-list authenticated confirmation",
        "15 passport authenticated confirmation",
      ],
    ],
  ] as const)("A failure of %s is confirmed by extra checks", (_name, endpoints, forMs, expected) => {
    for (const perEndpointFunctions of [false, true]) {
      const { sent } = watch({
        untilMs: seenMs + 30 * minute,
        perEndpointFunctions,
        respond: failing(endpoints, forMs),
      });
      expect(extra(sent)).toEqual(expected);
    }
  });

  test("Confirmation of an endpoint is not repeated while it stays bad", () => {
    const { sent } = watch({ untilMs: seenMs + day, respond: failing(endpointIds, 10 * day) });
    expect(extra(sent, Infinity)).toHaveLength(6);
  });

  test("Confirmation of a fault beside an old one of another endpoint goes on to 15 minutes", () => {
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

  test("Confirmation takes about 12 requests for an outage, its end included", () => {
    const { sent } = watch({ untilMs: seenMs + day, respond: failing(endpointIds, 2 * hour) });
    const extras = sent.filter(({ row }) => row.reason !== "scheduled");
    expect(sum(extras)).toBe(12);
  });
});

describe("recovery", () => {
  const downMs = start + 72 * minute;
  const upMs = downMs + 72 * minute;

  test("Recovery is checked 1 and 5 minutes after the first good check", () => {
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

  test("Recovery of one endpoint looks at all once, and then at that endpoint for a quarter of an hour", () => {
    const { sent } = watch({
      untilMs: upMs + hour,
      respond: (endpoint, _v, atMs) =>
        endpoint === "passport-list" && atMs >= downMs && atMs < upMs ? bad : good,
    });
    expect(lines(sent, upMs).filter((line) => line.endsWith("recovery"))).toEqual([
      ...endpointIds.map((endpoint) => `1 ${endpoint} authenticated recovery`),
      ...[5, 10, 15].map((step) => `${step} passport-list authenticated recovery`),
    ]);
  });

  test("Recovery is not checked after a single bad check", () => {
    const { sent } = watch({
      untilMs: start + day,
      respond: (_e, _v, atMs) => (atMs === downMs ? bad : good),
    });
    expect(sent.filter(({ row }) => row.reason === "recovery")).toEqual([]);
  });
});

describe("anonymous requests", () => {
  const refusedMs = start + 108 * minute;
  const refuseKey = (_e: EndpointId, variant: string, atMs: number) =>
    atMs >= refusedMs && variant === "authenticated" ? unauthorized : good;

  test("Anonymous requests go with every check from the second 401 on, for the first hour", () => {
    for (const perEndpointFunctions of [false, true]) {
      const { sent } = watch({ untilMs: refusedMs + hour, perEndpointFunctions, respond: refuseKey });
      const pairs = lines(sent, refusedMs).filter((line) => !line.startsWith("0 "));
      const keyed = pairs.filter((line) => line.includes(" authenticated "));
      expect(lines(sent, refusedMs)).toContain("0 passport-list authenticated scheduled");
      for (const line of keyed) expect(pairs).toContain(line.replace(" authenticated ", " anonymous "));
      expect(keyed.length).toBe(3 + 3 + 4);
    }
  });

  test("Anonymous requests go with one check in two hours after that, the endpoints taking turns, and keyed checks keep their cadence", () => {
    for (const perEndpointFunctions of [false, true]) {
      const fromMs = refusedMs + 2 * hour;
      const { sent } = watch({ untilMs: fromMs + 36 * hour, perEndpointFunctions, respond: refuseKey });
      const later = sent.filter(({ atMs, row }) => atMs >= fromMs && row.reason === "scheduled");
      const anonymous = later.filter(({ row }) => row.variant === "anonymous");
      const gaps = anonymous.slice(1).map(({ atMs }, index) => (atMs - anonymous[index]!.atMs) / minute);
      // The daily look without the key counts, too.
      expect(Math.max(...gaps)).toBe(120);
      expect(anonymous.length).toBeLessThanOrEqual(18 + 6);
      expect(new Set(anonymous.map(({ row }) => row.endpoint)).size).toBe(3);
      for (const endpoint of endpointIds) {
        const keyed = later.filter(({ row }) => row.endpoint === endpoint && row.variant === "authenticated");
        const cadence = keyed.slice(1).map(({ atMs }, index) => (atMs - keyed[index]!.atMs) / minute);
        expect(new Set(cadence)).toEqual(new Set([36]));
      }
    }
  });

  test("Anonymous requests of one refused endpoint go with the first of its checks after two hours", () => {
    const { sent } = watch({
      untilMs: refusedMs + day,
      respond: (endpoint, ...rest) => (endpoint === "passport" ? refuseKey(endpoint, ...rest) : good),
    });
    const anonymous = sent.filter(
      ({ atMs, row }) =>
        atMs >= refusedMs + 2 * hour && row.variant === "anonymous" && row.endpoint === "passport",
    );
    const gaps = anonymous.slice(1).map(({ atMs }, index) => (atMs - anonymous[index]!.atMs) / minute);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(144);
  });

  test("Anonymous requests that are served again are confirmed a minute later, together with the key of every endpoint", () => {
    const refuseFrom = (untilMs: number) => (_e: EndpointId, variant: string, atMs: number) =>
      atMs >= refusedMs && (variant === "authenticated" || atMs < untilMs) ? unauthorized : good;
    const untilMs = refusedMs + 6 * hour;
    const { sent: refused } = watch({ untilMs, respond: refuseFrom(untilMs) });
    const turn = refused.findLast(({ row }) => row.variant === "anonymous" && row.reason === "scheduled")!;
    const { sent } = watch({ untilMs, respond: refuseFrom(turn.atMs) });
    const confirmed = sent.filter(({ atMs }) => atMs === turn.atMs + minute);
    expect(confirmed.map(({ row }) => `${row.endpoint} ${row.variant}`).sort()).toEqual(
      endpointIds.flatMap((endpoint) => [`${endpoint} anonymous`, `${endpoint} authenticated`]).sort(),
    );
  });

  test("Anonymous requests are left out where no key is configured, and where they are switched off", () => {
    for (const config of [
      { ...usual, key: "none" as const },
      { ...usual, variants: { ...usual.variants, anonymous: false } },
    ]) {
      const { sent } = watch({ config, untilMs: refusedMs + 5 * hour, respond: refuseKey });
      expect(sent.filter(({ row }) => row.variant === "anonymous")).toEqual([]);
    }
  });
});

describe("Retry-After", () => {
  test("Retry-After is honoured up to 30 minutes, for scheduled and for extra checks", () => {
    const seenMs = start + 72 * minute;
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

  test("Retry-After is never undercut, whatever is due", () => {
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

  test("Retry-After is named with its time, and the other endpoints go on", () => {
    const probeState = applyResults(
      emptyProbeState,
      [
        {
          endpoint: "passport",
          variant: "authenticated",
          reason: "scheduled",
          atMs: start,
          requests: 1,
          ...bad,
          retryAfterSeconds: 1_500,
        },
      ],
      { tickMs: start, config: usual },
    );
    const plan = planRequests(start + minute, probeState, usual);
    expect(plan.deferred).toEqual(["V1 asked to wait until 2026-11-01 00:25 UTC (Retry-After)"]);
    const endpoints = new Set(plan.requests.map(({ endpoint }) => endpoint));
    expect(endpoints).toEqual(new Set(["passport-list", "passport-credentials"]));
  });
});

describe("the month's budget", () => {
  test("The month's budget that cannot bear the cadence stretches it, and lasts until the month ends", () => {
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

  test("The month's budget that is used up waits for the next month, and each slot until then is recorded as not sent", () => {
    const january = Date.UTC(2027, 0, 1);
    const spentUp = { ...emptyProbeState, spent: { "2026-12": 5_000 } };
    const plan = planRequests(january - minute, spentUp, usual);
    expect(plan).toMatchObject({
      requests: [],
      deferred: ["all 5,000 requests of the month are made; the next is on 2027-01-01"],
    });
    expect(plan.notSent.map(({ endpoint }) => endpoint)).toEqual([...endpointIds]);
    const tick = { tickMs: january - minute, config: usual };
    const recorded = applyResults(
      spentUp,
      carryOut(plan, tick.tickMs, () => good),
      tick,
    );
    expect(planRequests(january - minute, recorded, usual).notSent).toEqual([]);
    expect(findNextTick(january - minute, recorded, usual)).toBe(january);
    expect(planRequests(january, spentUp, usual).requests.length).toBeGreaterThanOrEqual(3);
    expect(requestsLeft(january, spentUp, usual)).toBe(5_000);
  });

  test("The month's budget near its end leaves out the rare variants first, then retries and extra checks", () => {
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
    expect(at(100).deferred[0]).toMatch(/^a rare variant waits for a month with more room; 2,620 requests/);
    expect(names(at(-1))).toEqual(["authenticated scheduled"]);
    expect(at(-1).requests[0]?.attempts).toBe(1);
    expect(at(-1).deferred[0]).toMatch(/^the reserve for confirmation is spent; /);
  });
});

describe("what is remembered", () => {
  test("What is remembered does not depend on the order of the results of a tick, nor on which function writes first", () => {
    const row = fc.record(
      {
        endpoint: fc.constantFrom(...endpointIds),
        variant: fc.constantFrom("authenticated", "anonymous", "by-other-id"),
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

  test("What is remembered of a check that says nothing about V1 leaves what is known of it", () => {
    const row = { endpoint: "passport", variant: "authenticated", reason: "scheduled", requests: 1 } as const;
    const at = (tickMs: number) => ({ tickMs, config: usual });
    const suspected = applyResults(emptyProbeState, [{ ...row, atMs: start, class: "failed" }], at(start));
    const stopped = applyResults(suspected, [{ ...row, atMs: start + minute }], at(start + minute));
    expect(stopped.endpoints.passport?.last.authenticated).toEqual({ atMs: start + minute, class: "failed" });
  });

  test("What is remembered of an anonymous 401 is no refusal of the key", () => {
    const row = { endpoint: "passport", variant: "anonymous", reason: "scheduled", requests: 1 } as const;
    const after = applyResults(emptyProbeState, [{ ...row, atMs: start, ...unauthorized }], {
      tickMs: start,
      config: usual,
    });
    expect(after.endpoints.passport?.refusedSinceMs).toBeUndefined();
    expect(after.pending).toEqual([]);
  });
});
