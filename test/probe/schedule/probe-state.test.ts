// What the scheduler remembers of the results of one tick, and which extra checks follow from it.
import { describe, expect, test } from "vitest";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Versioned } from "../../../lib/ports.ts";
import {
  applyResults,
  type RequestResult,
  remember,
  spend,
  updateProbeState,
} from "../../../lib/probe/schedule/probe-state.ts";
import {
  type EndpointState,
  emptyProbeState,
  maxPending,
  maxRecent,
  type PendingCheck,
  type ProbeState,
} from "../../../lib/records/probe-state.ts";
import { day, hour, minute, start, usual } from "./virtual-watch.ts";

const row = (more: Partial<RequestResult> = {}): RequestResult => ({
  endpoint: "passport",
  variant: "authenticated",
  reason: "scheduled",
  atMs: start,
  requests: 1,
  ...more,
});
const bad = (more: Partial<RequestResult> = {}) => row({ isGood: false, ...more });
const good = (more: Partial<RequestResult> = {}) => row({ isGood: true, ...more });

const apply = (from: ProbeState, results: readonly RequestResult[], tickMs = start) =>
  applyResults(from, results, { tickMs, config: usual });
/** One result after another, each in a tick of its own instant. */
const inTurn = (results: readonly RequestResult[], from: ProbeState = emptyProbeState) =>
  results.reduce((state, result) => apply(state, [result], result.atMs), from);
const passportOf = ({ endpoints }: ProbeState): EndpointState => endpoints.passport ?? { last: {} };

describe("requests", () => {
  test("are counted in the month in which each was made, and twelve months are kept", () => {
    const lateMs = Date.UTC(2026, 11, 1) - 1;
    const state = apply(emptyProbeState, [row({ atMs: lateMs, requests: 2 }), row({ atMs: lateMs + 1 })]);
    expect(state.spent).toEqual({ "2026-11": 2, "2026-12": 1 });
    const months = Array.from({ length: 14 }, (_, index) => monthNamed(index));
    const all = months.toReversed().reduce((known, month) => spend(known, month, 3), emptyProbeState);
    expect(Object.keys(all.spent)).toEqual(months.slice(2));
  });

  const monthNamed = (index: number) => new Date(Date.UTC(2026, index)).toISOString().slice(0, 7);

  test("are given back, and never more than were counted", () => {
    const state = spend(emptyProbeState, "2026-11", 5);
    expect(spend(state, "2026-11", -2).spent).toEqual({ "2026-11": 3 });
    expect(spend(state, "2026-11", -6).spent).toEqual({ "2026-11": 0 });
  });

  test("of the last 70 s are remembered for the limit on bursts, at most 200, the latest ones", () => {
    const made = Array.from({ length: maxRecent + 5 }, (_, index) => ({ atMs: start + index, requests: 1 }));
    const { recent } = remember(emptyProbeState, made);
    expect(recent).toHaveLength(maxRecent);
    expect([recent[0]?.atMs, recent.at(-1)?.atMs]).toEqual([start + 5, start + maxRecent + 4]);
  });

  test("that were not made change nothing", () => {
    expect(apply(emptyProbeState, [])).toBe(emptyProbeState);
  });
});

describe("the latest check of a variant", () => {
  test("has the latest instant, and is good only where all of the tick were good", () => {
    const rows = [good({ atMs: start + 5 }), bad({ atMs: start + 2 }), row({ atMs: start + 9 })];
    expect(passportOf(apply(emptyProbeState, rows)).last).toEqual({
      authenticated: { atMs: start + 9, isGood: false },
    });
    const variants = [good({ variant: "by-wallet" }), bad({ variant: "anonymous", atMs: start + 1 })];
    expect(passportOf(apply(emptyProbeState, variants)).last).toEqual({
      "by-wallet": { atMs: start, isGood: true },
      anonymous: { atMs: start + 1, isGood: false },
    });
  });

  test("is kept while other variants and endpoints are requested", () => {
    const state = inTurn([
      good({ variant: "unknown-id" }),
      good({ atMs: start + 1 }),
      good({ endpoint: "passport-list", atMs: start + 2 }),
    ]);
    expect(passportOf(state).last).toEqual({
      "unknown-id": { atMs: start, isGood: true },
      authenticated: { atMs: start + 1, isGood: true },
    });
    expect(Object.keys(state.endpoints).sort()).toEqual(["passport", "passport-list"]);
  });
});

describe("the slot", () => {
  test("is the latest one that was used, and stays where a check used none", () => {
    const state = apply(emptyProbeState, [good({ slotMs: 200 }), good({ slotMs: 100 })]);
    expect(passportOf(state).slotMs).toBe(200);
    expect(passportOf(apply(state, [good({ reason: "confirmation" })])).slotMs).toBe(200);
    expect(passportOf(apply(emptyProbeState, [good()]))).not.toHaveProperty("slotMs");
  });
});

describe("Retry-After", () => {
  const waitOf = (...results: RequestResult[]) => passportOf(apply(emptyProbeState, results)).notBeforeMs;

  test("counts from the latest request of the tick, the longest wait, and at most 30 minutes", () => {
    expect(waitOf(bad({ retryAfterSeconds: 60 }), bad({ retryAfterSeconds: 90, atMs: start + 7 }))).toBe(
      start + 7 + 90_000,
    );
    expect(waitOf(bad({ retryAfterSeconds: 86_400 }))).toBe(start + 30 * minute);
    expect(waitOf(bad({ retryAfterSeconds: 0 }))).toBe(start);
    expect(waitOf(bad())).toBeUndefined();
    // A whole number is stored.
    expect(waitOf(bad({ atMs: start + 0.5, retryAfterSeconds: 1 }))).toBe(start + 1_001);
  });

  test("stays where the next response names none", () => {
    const state = inTurn([bad({ retryAfterSeconds: 600 }), good({ atMs: start + minute })]);
    expect(passportOf(state).notBeforeMs).toBe(start + 600_000);
  });
});

describe("a run of bad checks", () => {
  const runOf = (...results: RequestResult[]) => passportOf(inTurn(results)).bad;

  test("has its first instant, its checks and the kind of the failure", () => {
    expect(runOf(bad({ atMs: start }), bad({ atMs: start + minute, kind: "failed" }))).toEqual({
      sinceMs: start,
      checks: 2,
      isNew: true,
      kind: "failed",
      kindSinceMs: start,
    });
    const together = [bad({ atMs: start + 3, kind: "throttled" }), bad({ atMs: start + 1, kind: "removed" })];
    expect(passportOf(apply(emptyProbeState, together)).bad).toEqual({
      sinceMs: start + 1,
      checks: 2,
      isNew: true,
      kind: "removed",
      kindSinceMs: start + 1,
    });
  });

  test("ends with a good check, and goes on where one of a tick was bad", () => {
    expect(runOf(bad(), good({ atMs: start + minute }))).toBeUndefined();
    const mixed = [good({ atMs: start + minute }), bad({ atMs: start + minute })];
    expect(passportOf(apply(inTurn([bad()]), mixed, start + minute)).bad?.checks).toBe(2);
  });

  test("is not about other variants", () => {
    expect(runOf(bad({ variant: "anonymous" }))).toBeUndefined();
    expect(runOf(bad(), good({ variant: "anonymous", atMs: start + minute }))?.checks).toBe(1);
  });

  test("keeps its start when the kind of failure changes, and confirms a change once in six hours", () => {
    const change = (atMs: number, kind: RequestResult["kind"] & string) => bad({ atMs, kind });
    const first = runOf(change(start, "failed"), change(start + hour, "removed"));
    expect(first).toMatchObject({
      sinceMs: start,
      checks: 2,
      kind: "removed",
      kindSinceMs: start + hour,
      changeConfirmedMs: start + hour,
    });
    const alternating = (gapMs: number) =>
      runOf(
        change(start, "failed"),
        change(start + hour, "removed"),
        change(start + hour + gapMs, "failed"),
        change(start + hour + gapMs + 1, "failed"),
      );
    expect(alternating(6 * hour - 1)).toMatchObject({
      kindSinceMs: start + 7 * hour - 1,
      changeConfirmedMs: start + hour,
    });
    expect(alternating(6 * hour)).toMatchObject({
      kindSinceMs: start + 7 * hour,
      changeConfirmedMs: start + 7 * hour,
    });
  });
});

describe("faults of a body", () => {
  const faulty = (atMs: number, ...faults: string[]) => bad({ atMs, kind: "body", faults });

  test("are remembered with the latest instant, for a day, at most 40, the latest ones", () => {
    const state = inTurn([faulty(start, "a", "b"), faulty(start + minute, "b")]);
    expect(passportOf(state).faults).toEqual({ a: start, b: start + minute });
    const dayLater = inTurn([faulty(start + day, "c")], state);
    expect(passportOf(dayLater).faults).toEqual({ a: start, b: start + minute, c: start + day });
    const longer = inTurn([faulty(start + day + 1, "c")], state);
    expect(passportOf(longer).faults).toEqual({ b: start + minute, c: start + day + 1 });
    const many = Array.from({ length: 41 }, (_, index) => `f${String(index).padStart(2, "0")}`);
    const kept = passportOf(inTurn([faulty(start, "old"), faulty(start + 1, ...many)])).faults ?? {};
    expect(Object.keys(kept).sort()).toEqual(many.slice(0, 40));
  });

  test("stay known while other variants are requested and checks are good, and end after a day", () => {
    const state = inTurn([faulty(start, "a")]);
    const other = row({ variant: "anonymous", atMs: start + 3 * day, isGood: true });
    expect(passportOf(inTurn([other], state)).faults).toEqual({ a: start });
    expect(passportOf(inTurn([good({ atMs: start + hour })], state)).faults).toEqual({ a: start });
    expect(passportOf(inTurn([good({ atMs: start + 2 * day })], state))).not.toHaveProperty("faults");
  });

  test("make a run new only where one of them was not seen within a day", () => {
    const isNew = (...results: RequestResult[]) => passportOf(inTurn(results)).bad?.isNew;
    const seen = [faulty(start, "a"), good({ atMs: start + minute })];
    expect(isNew(faulty(start, "a"))).toBe(true);
    expect(isNew(...seen, faulty(start + day, "a"))).toBe(false);
    expect(isNew(...seen, faulty(start + day + 1, "a"))).toBe(true);
    expect(isNew(...seen, faulty(start + hour, "a", "b"))).toBe(true);
    expect(isNew(...seen, bad({ atMs: start + hour, faults: [] }))).toBe(true);
    // A run that began with a known fault becomes new with a failure.
    expect(isNew(...seen, faulty(start + hour, "a"), bad({ atMs: start + 2 * hour }))).toBe(true);
    expect(isNew(bad(), faulty(start + 1, "a"), faulty(start + 2, "a"))).toBe(true);
  });
});

describe("extra checks", () => {
  const text = ({ endpoint, variant, reason, atMs, condition }: PendingCheck, fromMs: number) =>
    [(atMs - fromMs) / minute, endpoint, variant, reason, ...(condition ? [condition] : [])].join(" ");
  const pendingOf = ({ pending }: ProbeState, fromMs = start) => pending.map((check) => text(check, fromMs));
  const confirmation = endpointIds.map((endpoint) => `1 ${endpoint} authenticated confirmation`);
  const later = [5, 10, 15].flatMap((step) =>
    endpointIds.map(
      (endpoint) => `${step} ${endpoint} authenticated confirmation ${step === 5 ? "any-bad" : "some-bad"}`,
    ),
  );

  test("follow the first bad scheduled check, for all endpoints", () => {
    expect(pendingOf(apply(emptyProbeState, [bad()]))).toEqual([...confirmation, ...later]);
  });

  test.each<[string, RequestResult]>([
    ["a good check", good()],
    ["a check that says nothing", row()],
    ["a bad check of another variant", bad({ variant: "unknown-id" })],
    ["a bad check that is an extra one itself", bad({ reason: "confirmation" })],
  ])("do not follow %s", (_name, result) => {
    expect(apply(emptyProbeState, [result]).pending).toEqual([]);
  });

  test("do not follow a second bad check, and follow a change of its kind", () => {
    const failing = { ...inTurn([bad({ kind: "failed" })]), pending: [] };
    const atMs = start + 36 * minute;
    expect(apply(failing, [bad({ atMs, kind: "failed" })], atMs).pending).toEqual([]);
    expect(pendingOf(apply(failing, [bad({ atMs, kind: "removed" })], atMs), atMs)).toEqual([
      ...confirmation,
      ...later,
    ]);
  });

  test("do not follow a fault that is known", () => {
    const drifted = { ...inTurn([bad({ faults: ["a"] }), good({ atMs: start + 1 })]), pending: [] };
    const atMs = start + hour;
    expect(apply(drifted, [bad({ atMs, faults: ["a"] })], atMs).pending).toEqual([]);
    expect(apply(drifted, [bad({ atMs, faults: ["b"] })], atMs).pending).toHaveLength(12);
  });

  test("are one for the bad endpoint while a rate fires, until eight checks in a row were bad", () => {
    const firing = (checks: number): ProbeState => ({
      ...emptyProbeState,
      isRateFiring: true,
      endpoints: {
        passport: {
          last: {},
          bad: { sinceMs: start, checks, isNew: false, kind: "body", kindSinceMs: start },
          faults: { a: start },
        },
      },
    });
    const queued = (checks: number) => pendingOf(apply(firing(checks), [bad({ faults: ["a"] })]));
    expect(queued(6)).toEqual(["1 passport authenticated confirmation"]);
    expect(queued(7)).toEqual([]);
  });

  describe("at the end of a run", () => {
    const failing = (checks: number, more: Partial<EndpointState["bad"]> = {}): EndpointState => ({
      last: {},
      bad: { sinceMs: start - hour, checks, isNew: true, kind: "failed", kindSinceMs: start - hour, ...more },
    });
    const state = (endpoints: ProbeState["endpoints"], more: Partial<ProbeState> = {}): ProbeState => ({
      ...emptyProbeState,
      endpoints,
      ...more,
    });
    const recovery = (...endpoints: EndpointId[]) =>
      [1, 5].flatMap((step) => endpoints.map((endpoint) => `${step} ${endpoint} authenticated recovery`));

    test("of two bad checks or more are made for the endpoints that were bad", () => {
      expect(pendingOf(apply(state({ passport: failing(2) }), [good()]))).toEqual(recovery("passport"));
      expect(apply(state({ passport: failing(1) }), [good()]).pending).toEqual([]);
      const both = state({ "passport-list": failing(1), passport: failing(2) });
      expect(pendingOf(apply(both, [good()]))).toEqual(recovery("passport-list", "passport"));
    });

    test("are not made where the run was about known faults, or a rate fires", () => {
      expect(apply(state({ passport: failing(5, { isNew: false }) }), [good()]).pending).toEqual([]);
      expect(apply(state({ passport: failing(5) }, { isRateFiring: true }), [good()]).pending).toEqual([]);
    });

    test("leave out another endpoint that has begun to fail just now, or only in known ways", () => {
      const now = failing(1, { sinceMs: start });
      const known = failing(3, { isNew: false });
      const mixed = state({ "passport-list": now, passport: failing(2), "passport-credentials": known });
      expect(pendingOf(apply(mixed, [good()]))).toEqual(recovery("passport"));
    });

    test("are not queued twice", () => {
      const waiting: PendingCheck = {
        endpoint: "passport",
        variant: "authenticated",
        atMs: start + minute,
        reason: "recovery",
      };
      const [list, passport] = [failing(3), failing(3)];
      const before = state({ "passport-list": list, passport }, { pending: [waiting] });
      const after = pendingOf(apply(before, [good({ endpoint: "passport-list" })]));
      expect(after).toEqual([
        "1 passport-list authenticated recovery",
        "1 passport authenticated recovery",
        "5 passport-list authenticated recovery",
      ]);
    });
  });

  describe("where anonymous requests change", () => {
    const refused = (isGood: boolean | undefined, kind: "unauthorized" | "failed" = "unauthorized") => ({
      ...emptyProbeState,
      endpoints: {
        passport: {
          last: isGood === undefined ? {} : { anonymous: { atMs: start - hour, isGood } },
          bad: { sinceMs: start - hour, checks: 3, isNew: true, kind, kindSinceMs: start - hour },
        },
      },
    });
    const anonymous = (isGood: boolean) => row({ variant: "anonymous", isGood });
    const every = (variant: string) =>
      endpointIds.map((endpoint) => `1 ${endpoint} ${variant} confirmation`).sort();

    test("from served to refused, all endpoints are requested without the key", () => {
      const after = pendingOf(apply(refused(true), [anonymous(false)]));
      expect(after.sort()).toEqual(every("anonymous"));
    });

    test("from refused to served, all endpoints are requested with and without the key", () => {
      const after = pendingOf(apply(refused(false), [anonymous(true)]));
      expect(after.sort()).toEqual([...every("anonymous"), ...every("authenticated")].sort());
    });

    test.each<[string, ProbeState, boolean]>([
      ["the answer is the same", refused(true), true],
      ["it is the first answer", refused(undefined), false],
      ["the key is not refused", refused(true, "failed"), false],
      ["nothing is bad", emptyProbeState, false],
    ])("nothing is confirmed where %s", (_name, before, isGood) => {
      expect(apply(before, [anonymous(isGood)]).pending).toEqual([]);
    });
  });

  test("are in the order of their time, at most 60, and one for each endpoint, variant and instant", () => {
    const waiting = (atMs: number, more: Partial<PendingCheck> = {}): PendingCheck => ({
      endpoint: "passport-list",
      variant: "authenticated",
      atMs,
      reason: "confirmation",
      ...more,
    });
    const conditional = waiting(start + minute, { condition: "some-bad" });
    const before = { ...emptyProbeState, pending: [waiting(start + hour), conditional] };
    const after = pendingOf(apply(before, [bad()]));
    // The check without a condition is the one that is kept.
    expect(after).toEqual([...[...confirmation, ...later], "60 passport-list authenticated confirmation"]);
    const many = Array.from({ length: maxPending }, (_, index) => waiting(start + (60 + index) * minute));
    const full = apply({ ...emptyProbeState, pending: many }, [bad()]).pending;
    expect(full).toHaveLength(maxPending);
    expect(full.slice(12)).toEqual(many.slice(0, maxPending - 12));
  });

  test("are forgotten where the month's reserve is spent, and it says so", () => {
    const spent = { ...emptyProbeState, spent: { "2026-11": 4_999 } };
    expect(apply(spent, [bad()])).toMatchObject({ pending: [], isReserveSpent: true });
    expect(apply(emptyProbeState, [bad()])).toMatchObject({ isReserveSpent: false });
  });
});

describe("a write of the probe state", () => {
  const ledgerOf = (outcomes: ("written" | "conflict" | "failed")[]) => {
    const writes: { value: ProbeState; version: number }[] = [];
    let reads = 0;
    return {
      writes,
      reads: () => reads,
      async readProbeState(): Promise<Versioned<ProbeState> | undefined> {
        reads += 1;
        return reads === 1 ? undefined : { value: spend(emptyProbeState, "2026-11", reads), version: reads };
      },
      async writeProbeState(value: ProbeState, version: number) {
        writes.push({ value, version });
        const kind = outcomes[writes.length - 1] ?? "conflict";
        return kind === "failed" ? { kind, why: "disk-full" } : { kind };
      },
    };
  };
  const add = (state: ProbeState) => spend(state, "2026-11", 10);

  test("starts from an empty state and version 0, and reads again after a conflict", async () => {
    const ledger = ledgerOf(["conflict", "written"]);
    const written = await updateProbeState(ledger as never, add);
    expect(written).toMatchObject({ kind: "written", value: { spent: { "2026-11": 12 } } });
    expect(ledger.writes.map(({ value, version }) => [value.spent["2026-11"], version])).toEqual([
      [10, 0],
      [12, 2],
    ]);
  });

  test("is left out where nothing changes, and ends with what the store says", async () => {
    const ledger = ledgerOf(["failed"]);
    expect(await updateProbeState(ledger as never, (state) => state)).toEqual({
      kind: "unchanged",
      value: emptyProbeState,
    });
    expect(ledger.writes).toEqual([]);
    expect(await updateProbeState(ledger as never, add)).toEqual({ kind: "failed", why: "disk-full" });
    expect(ledger.writes).toHaveLength(1);
  });
});
