// One plan at one instant: which checks are due, which the budget grants, and when the next is due.
import { describe, expect, test } from "vitest";
import { type Config, rareRequests } from "../../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { slotStartMs } from "../../../lib/probe/schedule/budget.ts";
import { findNextTick, forgetDue, type Plan, planRequests } from "../../../lib/probe/schedule/plan.ts";
import {
  type EndpointState,
  emptyProbeState,
  type PendingCheck,
  type ProbeState,
} from "../../../lib/records/probe-state.ts";
import { day, hour, minute, second, start, usual, withBudget } from "./virtual-watch.ts";

const perEndpoint = (make: (endpoint: EndpointId) => EndpointState | undefined) =>
  Object.fromEntries(
    endpointIds.flatMap((endpoint) => {
      const made = make(endpoint);
      return made ? [[endpoint, made]] : [];
    }),
  );
/** All rare variants were requested today. */
const allToday = (atMs: number) =>
  Object.fromEntries(rareRequests(usual).map(({ variant }) => [variant, { atMs }]));
/** A watch that has made every scheduled check up to an instant. */
const upToDate = (atMs: number, more: Partial<ProbeState> = {}): ProbeState => ({
  ...emptyProbeState,
  endpoints: perEndpoint((endpoint) => ({
    slotMs: slotStartMs(endpoint, atMs, usual),
    last: allToday(atMs),
  })),
  ...more,
});
/** Noon: not a slot by itself, because the check of the list at 12:00 was made. */
const noon = start + 12 * hour;
const check = (atMs: number, more: Partial<PendingCheck> = {}): PendingCheck => ({
  endpoint: "passport",
  variant: "authenticated",
  atMs,
  reason: "confirmation",
  ...more,
});
const names = ({ requests }: Plan) =>
  requests.map(({ endpoint, variant, reason }) => `${endpoint} ${variant} ${reason}`);
const planOf = (state: ProbeState, atMs = noon, config: Config = usual, only?: EndpointId) =>
  planRequests(atMs, state, config, only);

describe("an extra check", () => {
  const due = (pending: PendingCheck[], more: Partial<ProbeState> = {}, atMs = noon) =>
    names(planOf(upToDate(noon, { pending, ...more }), atMs));

  test("An extra check is made from its instant on, and not after an hour in which the machine slept", () => {
    const made = ["passport authenticated confirmation"];
    expect(due([check(noon + 1)])).toEqual([]);
    expect(due([check(noon)])).toEqual(made);
    // 15 minutes of confirmation and 30 of Retry-After.
    expect(due([check(noon - 45 * minute)])).toEqual(made);
    expect(due([check(noon - 45 * minute - 1)])).toEqual([]);
  });

  test("An extra check is made by the function of its endpoint only", () => {
    const state = upToDate(noon, { pending: [check(noon)] });
    expect(names(planOf(state, noon, usual, "passport"))).toHaveLength(1);
    expect(names(planOf(state, noon, usual, "passport-list"))).toEqual([]);
  });

  test("An extra check is not made once the reserve is spent", () => {
    expect(due([check(noon)], { isReserveSpent: true })).toEqual([]);
  });

  test("An extra check is made once where it was queued twice", () => {
    const twice = [check(noon - 1), check(noon, { reason: "recovery" })];
    expect(due(twice)).toEqual(["passport authenticated confirmation"]);
  });

  /** The list changed a minute ago; these show something else than before it. */
  const changed = (...endpoints: EndpointId[]): Partial<ProbeState> => ({
    endpoints: perEndpoint((endpoint) => ({
      ...upToDate(noon).endpoints[endpoint]!,
      last: { authenticated: { atMs: noon, class: endpoints.includes(endpoint) ? "failed" : "ok" } },
    })),
    confirmations: [
      {
        atMs: noon - minute,
        endpoint: "passport-list",
        isSmall: false,
        before: Object.fromEntries(endpointIds.map((endpoint) => [endpoint, { class: "ok" as const }])),
      },
    ],
  });

  test.each<[string, PendingCheck["condition"], EndpointId[], boolean]>([
    ["nothing differs any more", "differs", [], false],
    ["it differs itself", "differs", ["passport"], true],
    ["only another one differs", "differs", ["passport-list"], false],
    ["all differ", "differs", [...endpointIds], true],
    ["it and another one differ", "differs-alone", ["passport", "passport-list"], true],
    ["all differ", "differs-alone", [...endpointIds], false],
  ])("An extra check where %s has its condition %s", (_name, condition, endpoints, isMade) => {
    const pending = [check(noon, { condition, confirmationMs: noon - minute })];
    expect(due(pending, changed(...endpoints))).toHaveLength(isMade ? 1 : 0);
  });

  test("An extra check is forgotten once it was due, and kept while V1 asked to wait", () => {
    const forget = (pending: PendingCheck[], more: Partial<ProbeState> = {}, scope = endpointIds) =>
      forgetDue(upToDate(noon, { pending, ...more }), noon, usual, scope).pending;
    const [past, now, later] = [check(noon - minute), check(noon), check(noon + 1)];
    expect(forget([past, now, later])).toEqual([later]);
    const others = ["passport-list"] as unknown as typeof endpointIds;
    expect(forget([past, now], {}, others)).toEqual([past, now]);
    const waiting = { endpoints: { passport: { last: {}, notBeforeMs: noon + 1 } } };
    expect(forget([past], waiting)).toEqual([past]);
    expect(forget([past], { endpoints: { passport: { last: {}, notBeforeMs: noon } } })).toEqual([]);
    // What is far ahead was written by a clock that has since moved back.
    expect(forget([check(noon + 80 * minute), check(noon + 80 * minute + 1)])).toHaveLength(1);
    const state = upToDate(noon, { pending: [later] });
    expect(forgetDue(state, noon, usual, endpointIds)).toBe(state);
  });
});

describe("a second opinion", () => {
  const opinions = (state: ProbeState, atMs = noon) =>
    planOf(state, atMs).requests.map(({ variant, hasSecondOpinion }) => `${variant} ${hasSecondOpinion}`);
  const after = (name: "ok" | "failed" | "not-found"): ProbeState["endpoints"] => ({
    passport: {
      last: { ...allToday(noon), authenticated: { atMs: noon, class: name } },
      slotMs: slotStartMs("passport", noon, usual),
    },
  });

  test("A second opinion is possible with the key, until the check before was not found either", () => {
    const pending = [check(noon)];
    const at = (name: "ok" | "failed" | "not-found") => {
      const { endpoints } = upToDate(noon);
      return opinions(upToDate(noon, { pending, endpoints: { ...endpoints, ...after(name) } }));
    };
    expect(opinions(upToDate(noon, { pending }))).toEqual(["authenticated true"]);
    expect(at("failed")).toEqual(["authenticated true"]);
    expect(at("not-found")).toEqual(["authenticated undefined"]);
    expect(opinions(upToDate(noon, { pending: [check(noon, { variant: "anonymous" })] }))).toEqual([
      "anonymous undefined",
    ]);
  });
});

describe("an anonymous request beside a refused key", () => {
  const refused = (refusedSinceMs: number | undefined) =>
    upToDate(noon, {
      pending: [check(noon), check(noon, { endpoint: "passport-list" })],
      endpoints: {
        ...upToDate(noon).endpoints,
        "passport-credentials": {
          ...upToDate(noon).endpoints["passport-credentials"]!,
          refusedSinceMs,
        },
      },
    });
  const beside = (state: ProbeState, config: Config = usual) =>
    planOf(state, noon, config)
      .requests.filter(({ isIfUnauthorized }) => isIfUnauthorized)
      .map(({ endpoint, variant, reason }) => `${endpoint} ${variant} ${reason}`);

  test("An anonymous request beside a refused key goes with every check of all endpoints for an hour, only where the key is refused there", () => {
    expect(beside(refused(noon - minute))).toEqual([
      "passport anonymous confirmation",
      "passport-list anonymous confirmation",
    ]);
    expect(beside(refused(noon - hour + 1))).toHaveLength(2);
    expect(beside(refused(noon - hour))).toEqual([]);
    expect(beside(refused(undefined))).toEqual([]);
  });

  test("An anonymous request beside a refused key is left out without a key, and where it is switched off", () => {
    const state = refused(noon - minute);
    expect(beside(state, { ...usual, key: "none" })).toEqual([]);
    expect(beside(state, { ...usual, variants: { ...usual.variants, anonymous: false } })).toEqual([]);
  });

  test("An anonymous request beside a refused key does not double an extra check without the key", () => {
    const state = {
      ...refused(noon - minute),
      pending: [check(noon), check(noon, { variant: "anonymous" })],
    };
    expect(planOf(state).requests.filter(({ variant }) => variant === "anonymous")).toEqual([
      expect.not.objectContaining({ isIfUnauthorized: true }),
    ]);
  });
});

describe("a scheduled check", () => {
  const slot = noon + 12 * minute;

  test("A scheduled check has the slot that it uses", () => {
    const { requests } = planOf(upToDate(noon), slot);
    expect(requests).toMatchObject([{ endpoint: "passport", variant: "authenticated", slotMs: slot }]);
  });

  test("A scheduled check has one without the key beside it two hours after the last one, while the key is refused", () => {
    const refusedSince = (refusedSinceMs: number | undefined, anonymousMs: number) => ({
      ...upToDate(noon),
      endpoints: perEndpoint((endpoint) => ({
        ...upToDate(noon).endpoints[endpoint]!,
        last: { anonymous: { atMs: anonymousMs } },
        refusedSinceMs,
      })),
    });
    const beside = (state: ProbeState, config: Config = usual) =>
      planOf(state, slot, config)
        .requests.filter(({ variant, isRare }) => variant === "anonymous" && !isRare)
        .map(({ endpoint, isIfUnauthorized }) => `${endpoint} ${isIfUnauthorized}`);
    const longAgo = slot - 120 * minute;
    expect(beside(refusedSince(slot - 60 * minute, longAgo))).toEqual(["passport true"]);
    expect(beside(refusedSince(slot - 60 * minute, longAgo + 10 * minute))).toEqual([]);
    // A clock that moved back.
    expect(beside(refusedSince(slot - 60 * minute, slot + 10 * day))).toEqual(["passport true"]);
    expect(beside(refusedSince(undefined, longAgo))).toEqual([]);
    expect(beside(refusedSince(slot - 60 * minute, longAgo), { ...usual, key: "none" })).toEqual([]);
    expect(planOf(refusedSince(slot - 60 * minute, longAgo), slot).requests[0]).toMatchObject({
      endpoint: "passport",
      variant: "authenticated",
      slotMs: slot,
    });
  });

  test("A scheduled check waits for V1, for half an hour at the most, and a wait of a clock that moved back is ignored", () => {
    const waiting = (untilMs: number) => {
      const { endpoints } = upToDate(noon);
      const passport = { ...endpoints.passport!, notBeforeMs: untilMs };
      return planOf({ ...upToDate(noon), endpoints: { ...endpoints, passport } }, slot);
    };
    expect(waiting(slot)).toMatchObject({ requests: [{ endpoint: "passport" }], deferred: [] });
    expect(waiting(slot + 1)).toEqual({
      requests: [],
      notSent: [],
      deferred: ["V1 asked to wait until 2026-11-01 12:12 UTC (Retry-After)"],
    });
    expect(names(waiting(slot + 30 * minute))).toEqual([]);
    expect(names(waiting(slot + 30 * minute + 1))).toEqual(["passport authenticated scheduled"]);
  });
});

describe("a rare variant", () => {
  /** The check of the list at the beginning of a day, with the days since each variant was requested. */
  const rare = (atMs: number, lastMs: (variant: string) => number | undefined, config: Config = usual) => {
    const state = upToDate(atMs - 36 * minute);
    const last = Object.fromEntries(
      ["anonymous", "keyword", "second-page"].flatMap((variant) => {
        const ms = lastMs(variant);
        return ms === undefined ? [] : [[variant, { atMs: ms }]];
      }),
    );
    const list = { ...state.endpoints["passport-list"]!, last };
    const endpoints = { ...state.endpoints, "passport-list": list };
    return planOf({ ...state, endpoints }, atMs, config, "passport-list")
      .requests.filter(({ variant }) => variant !== "authenticated")
      .map(({ variant }) => variant);
  };
  const all = rareRequests(usual);
  const placeOf = (variant: string) =>
    (all.findIndex((one) => one.endpoint === "passport-list" && one.variant === variant) * day) / all.length;

  test("A rare variant has its place in the day, and is requested once in it", () => {
    const today = start + 5 * day;
    const yesterday = today - 12 * hour;
    const slots = Array.from({ length: 40 }, (_, index) => today + index * 36 * minute);
    for (const variant of ["anonymous", "keyword", "second-page"]) {
      const due = slots.filter((atMs) =>
        rare(atMs, (name) => (name === variant ? yesterday : atMs)).includes(variant as never),
      );
      const first = slots.find((atMs) => atMs >= today + placeOf(variant));
      expect(due[0]).toBe(first);
      expect(due).toEqual(slots.filter((atMs) => atMs >= first!));
    }
    expect(rare(today + 23 * hour + 24 * minute, () => today)).toEqual([]);
  });

  test("A rare variant that was missed for more than a day comes at once, the oldest first, one with each check", () => {
    const today = start + 5 * day;
    const ages: Record<string, number> = { keyword: 3, "second-page": 4, anonymous: 2.5 };
    expect(rare(today, (variant) => today - (ages[variant] ?? 0) * day)).toEqual(["second-page"]);
    expect(rare(today, () => undefined)).toEqual(["anonymous"]);
    expect(rare(today, (variant) => (variant === "keyword" ? today - day - 1 : today))).toEqual(["keyword"]);
    expect(rare(today, (variant) => (variant === "keyword" ? today - day : today))).toEqual([]);
  });

  test("A rare variant that a clock which has moved back wrote ahead is requested again", () => {
    const today = start + 5 * day;
    expect(rare(today, (variant) => (variant === "keyword" ? today + day + 1 : today))).toEqual(["keyword"]);
    expect(rare(today, (variant) => (variant === "keyword" ? today + day : today))).toEqual([]);
  });

  test("A rare variant goes only with a scheduled check", () => {
    const state = upToDate(noon);
    const endpoints = perEndpoint((endpoint) => ({ ...state.endpoints[endpoint]!, last: {} }));
    expect(planOf({ ...state, endpoints }).requests).toEqual([]);
  });
});

describe("the budget", () => {
  const burst = (requests: number): ProbeState => ({
    ...upToDate(noon, { pending: endpointIds.map((endpoint) => check(noon, { endpoint })) }),
    recent: [{ atMs: noon - second, requests }],
  });

  test("The budget of ten seconds is used for first attempts, then for second ones, and says what waits", () => {
    const attempts = (requests: number) => planOf(burst(requests)).requests.map((one) => one.attempts);
    // A row of several requests is one with retries, and counts until its deadline.
    expect(attempts(14)).toEqual([2, 2, 2]);
    expect(attempts(15)).toEqual([2, 2, 1]);
    expect(attempts(17)).toEqual([1, 1, 1]);
    expect(attempts(18)).toEqual([1, 1]);
    expect(planOf(burst(18)).deferred).toEqual(["at most 20 requests in 10 s"]);
  });

  test("The budget of a month is used for second attempts as long as it can spare them", () => {
    const attempts = (spare: number) => {
      const checks = endpointIds.map((endpoint) => check(noon, { endpoint }));
      // 29.5 days of 120 slots are left, and the one of this instant was used.
      const spent = { "2026-11": 5_000 - (29.5 * 120 - 1) - spare };
      return planOf(upToDate(noon, { pending: checks, spent })).requests.map((one) => one.attempts);
    };
    expect(attempts(3)).toEqual([1, 1, 1]);
    expect(attempts(4)).toEqual([2, 1, 1]);
    expect(attempts(5)).toEqual([2, 2, 1]);
  });

  test("The budget of a month that is nearly used up says how many are left", () => {
    const state = { ...burst(0), recent: [], spent: { "2026-11": 4_998 } };
    const plan = planOf(state);
    expect(plan.requests).toEqual([]);
    expect(plan.deferred).toEqual(
      Array(3).fill("the reserve for confirmation is spent; 2 requests are left until 2026-12-01"),
    );
    const few = { ...emptyProbeState, spent: { "2026-11": 4_998 } };
    const { requests, deferred } = planOf(few);
    expect(requests.map(({ attempts }) => attempts)).toEqual([1, 1]);
    expect(deferred[0]).toEqual("2 requests are left until 2026-12-01");
  });

  test("The budget that stretches the cadence says so where a check would have been due", () => {
    const slot = noon + 12 * minute;
    const state = upToDate(noon, { spent: { "2026-11": 3_600 } });
    expect(planOf(state, slot)).toEqual({
      requests: [],
      notSent: [],
      deferred: ["the cadence is stretched to 108 min; 1,400 requests are left until 2026-12-01"],
    });
    expect(planOf(state, slot - 1).deferred).toEqual([]);
    expect(planOf(upToDate(noon), slot + 1).deferred).toEqual([]);
  });

  test("The budget that leaves an endpoint longer without a check than the watch may be silent records its slots as not sent", () => {
    const slot = noon + 12 * minute;
    const notSent = (spent: number, atMs: number) =>
      planOf(upToDate(noon, { spent: { "2026-11": spent } }), atMs).notSent.map(({ endpoint }) => endpoint);
    expect(notSent(5_000, slot)).toEqual(["passport"]);
    // Four times the cadence and more: 144 min, where 108 min are silence.
    expect(notSent(4_200, slot)).toEqual(["passport"]);
    expect(notSent(4_200, slot - 1)).toEqual([]);
    expect(notSent(3_600, slot)).toEqual([]);
  });

  test("The budget of one function is a third of what all of them have", () => {
    const state = { ...emptyProbeState, recent: [{ atMs: noon - second, requests: 18 }] };
    expect(planOf(state, noon, usual, "passport").requests).toEqual([]);
    expect(planOf({ ...state, recent: [] }, noon, usual, "passport").requests).not.toEqual([]);
  });
});

describe("the next tick", () => {
  const next = (state: ProbeState, only?: EndpointId, config: Config = usual) =>
    findNextTick(noon, state, config, only) - noon;

  test("The next tick is the next slot, of all endpoints or of one", () => {
    expect(next(upToDate(noon))).toBe(12 * minute);
    expect(next(upToDate(noon), "passport-credentials")).toBe(24 * minute);
    expect(next(upToDate(noon), "passport-list")).toBe(36 * minute);
  });

  test("The next tick is an extra check that comes before, of all endpoints or of one", () => {
    const state = upToDate(noon, { pending: [check(noon + 5 * minute), check(noon + minute)] });
    expect(next(state)).toBe(minute);
    expect(next(state, "passport")).toBe(minute);
    expect(next(state, "passport-list")).toBe(36 * minute);
  });

  test("The next tick comes after the wait that V1 asked for", () => {
    const state = upToDate(noon, { pending: [check(noon + minute)] });
    const passport = { ...state.endpoints.passport!, notBeforeMs: noon + 20 * minute };
    expect(next({ ...state, endpoints: { ...state.endpoints, passport } }, "passport")).toBe(20 * minute);
  });

  test("The next tick is ten seconds later where something is due and was not requested", () => {
    expect(next(emptyProbeState)).toBe(10 * second);
    expect(next(upToDate(noon, { pending: [check(noon)] }))).toBe(10 * second);
  });

  test("The next tick is the next slot where no request is left, which is recorded as not sent", () => {
    expect(next(upToDate(noon, { spent: { "2026-11": 5_000 } }))).toBe(12 * minute);
    expect(next(upToDate(noon, { spent: { "2026-11": 4_999 } }))).toBe(12 * minute);
    expect(next(upToDate(noon), undefined, withBudget(5_001))).toBe(12 * minute);
  });
});
