// What the scheduler remembers of the results of one tick, and which extra checks follow from it.
import { describe, expect, test } from "vitest";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
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
import { hour, minute, start, usual } from "./virtual-watch.ts";

const row = (more: Partial<RequestResult> = {}): RequestResult => ({
  endpoint: "passport",
  variant: "authenticated",
  reason: "scheduled",
  atMs: start,
  requests: 1,
  ...more,
});
const bad = (more: Partial<RequestResult> = {}) => row({ class: "failed", ...more });
const good = (more: Partial<RequestResult> = {}) => row({ class: "ok", findings: "none", ...more });

const apply = (from: ProbeState, results: readonly RequestResult[], tickMs = start) =>
  applyResults(from, results, { tickMs, config: usual });
/** One result after another, each in a tick of its own instant. */
const inTurn = (results: readonly RequestResult[], from: ProbeState = emptyProbeState) =>
  results.reduce((state, result) => apply(state, [result], result.atMs), from);
const passportOf = ({ endpoints }: ProbeState): EndpointState => endpoints.passport ?? { last: {} };

describe("requests", () => {
  test("Requests are counted in the month in which each was made, and twelve months are kept", () => {
    const lateMs = Date.UTC(2026, 11, 1) - 1;
    const state = apply(emptyProbeState, [row({ atMs: lateMs, requests: 2 }), row({ atMs: lateMs + 1 })]);
    expect(state.spent).toEqual({ "2026-11": 2, "2026-12": 1 });
    const months = Array.from({ length: 14 }, (_, index) => monthNamed(index));
    const all = months.toReversed().reduce((known, month) => spend(known, month, 3), emptyProbeState);
    expect(Object.keys(all.spent)).toEqual(months.slice(2));
  });

  const monthNamed = (index: number) => new Date(Date.UTC(2026, index)).toISOString().slice(0, 7);

  test("Requests are given back, and never more than were counted", () => {
    const state = spend(emptyProbeState, "2026-11", 5);
    expect(spend(state, "2026-11", -2).spent).toEqual({ "2026-11": 3 });
    expect(spend(state, "2026-11", -6).spent).toEqual({ "2026-11": 0 });
  });

  test("Requests of the last 70 s are remembered for the limit on bursts, at most 200, the latest ones", () => {
    const made = Array.from({ length: maxRecent + 5 }, (_, index) => ({ atMs: start + index, requests: 1 }));
    const { recent } = remember(emptyProbeState, made);
    expect(recent).toHaveLength(maxRecent);
    expect([recent[0]?.atMs, recent.at(-1)?.atMs]).toEqual([start + 5, start + maxRecent + 4]);
  });

  test("Requests that were not made change nothing", () => {
    expect(apply(emptyProbeState, [])).toBe(emptyProbeState);
  });
});

describe("the latest check of a variant", () => {
  test("The latest check of a variant has the latest instant, and the class of the latest one that says something of V1", () => {
    const rows = [good({ atMs: start + 5 }), bad({ atMs: start + 2 }), row({ atMs: start + 9 })];
    expect(passportOf(apply(emptyProbeState, rows)).last).toEqual({
      authenticated: { atMs: start + 9, class: "ok" },
    });
    const opinion = good({ reason: "second-opinion" });
    expect(passportOf(apply(emptyProbeState, [opinion, bad()])).last.authenticated?.class).toBe("ok");
  });

  test("The latest check of a variant is kept while other variants and endpoints are requested, and rare ones are counted up to three", () => {
    const looks = Array.from({ length: 5 }, (_, index) =>
      good({ variant: "unknown-id", atMs: start + index }),
    );
    const state = inTurn([
      ...looks,
      good({ atMs: start + 6 }),
      good({ endpoint: "passport-list", atMs: start + 7 }),
    ]);
    expect(passportOf(state).last).toEqual({
      "unknown-id": { atMs: start + 4, class: "ok", looks: 3 },
      authenticated: { atMs: start + 6, class: "ok" },
    });
    expect(Object.keys(state.endpoints).sort()).toEqual(["passport", "passport-list"]);
  });
});

describe("the slot", () => {
  test("The slot is the latest one that was used, and stays where a check used none", () => {
    const state = apply(emptyProbeState, [good({ slotMs: 200 }), good({ slotMs: 100 })]);
    expect(passportOf(state).slotMs).toBe(200);
    expect(passportOf(apply(state, [good({ reason: "confirmation" })])).slotMs).toBe(200);
    expect(passportOf(apply(emptyProbeState, [good()])).slotMs).toBeUndefined();
  });
});

describe("Retry-After", () => {
  const waitOf = (...results: RequestResult[]) => passportOf(apply(emptyProbeState, results)).notBeforeMs;

  test("Retry-After counts from the latest request of the tick, the longest wait, and at most 30 minutes", () => {
    expect(waitOf(bad({ retryAfterSeconds: 60 }), bad({ retryAfterSeconds: 90, atMs: start + 7 }))).toBe(
      start + 7 + 90_000,
    );
    expect(waitOf(bad({ retryAfterSeconds: 86_400 }))).toBe(start + 30 * minute);
    expect(waitOf(bad({ retryAfterSeconds: 0 }))).toBe(start);
    expect(waitOf(bad())).toBeUndefined();
    // A whole number is stored.
    expect(waitOf(bad({ atMs: start + 0.5, retryAfterSeconds: 1 }))).toBe(start + 1_001);
  });

  test("Retry-After stays where the next response names none", () => {
    const state = inTurn([bad({ retryAfterSeconds: 600 }), good({ atMs: start + minute })]);
    expect(passportOf(state).notBeforeMs).toBe(start + 600_000);
  });
});

describe("what is remembered of primary checks", () => {
  test("What is remembered of primary checks is since when each of them got a 401, and nothing of other variants", () => {
    const since = (...results: RequestResult[]) => passportOf(inTurn(results)).refusedSinceMs;
    expect(since(bad({ class: "unauthorized" }), bad({ class: "quota", atMs: start + hour }))).toBe(start);
    expect(since(bad({ class: "unauthorized" }), bad({ atMs: start + hour }))).toBeUndefined();
    expect(since(bad({ class: "unauthorized", variant: "anonymous" }))).toBeUndefined();
    expect(since(bad({ class: "unauthorized" }), row({ atMs: start + hour }))).toBe(start);
  });

  test("What is remembered of primary checks are the differences from the document of each sample, of twelve samples at the most", () => {
    const of = (sample: string, findings: string, atMs: number) => good({ sample, findings, atMs });
    const state = inTurn([of("a", "x", start), of("b", "y", start + 1), of("a", "z", start + 2)]);
    expect(passportOf(state)).toMatchObject({ findings: { a: "z", b: "y" }, sample: "a" });
    const many = Array.from({ length: 14 }, (_, index) => of(`s${index}`, "x", start + index));
    expect(Object.keys(passportOf(inTurn(many)).findings ?? {})).toHaveLength(12);
  });
});

describe("extra checks", () => {
  const text = ({ endpoint, variant, reason, atMs, condition }: PendingCheck, fromMs: number) =>
    [(atMs - fromMs) / minute, endpoint, variant, reason, ...(condition ? [condition] : [])].join(" ");
  const pendingOf = ({ pending }: ProbeState, fromMs = start) => pending.map((check) => text(check, fromMs));
  const confirmation = endpointIds.map((endpoint) => `1 ${endpoint} authenticated confirmation`);
  const later = [5, 10, 15].flatMap((step) =>
    endpointIds.map(
      (endpoint) =>
        `${step} ${endpoint} authenticated confirmation ${step === 5 ? "differs" : "differs-alone"}`,
    ),
  );
  /** Served an hour ago; nothing is waiting. */
  const served = { ...inTurn([good({ atMs: start - hour })]), pending: [] };
  const failing = { ...inTurn([bad({ atMs: start - hour })]), pending: [] };

  test("Extra checks follow a change of the class in either direction, for all endpoints", () => {
    expect(pendingOf(apply(served, [bad()]))).toEqual([...confirmation, ...later]);
    expect(pendingOf(apply(failing, [good()]))).toEqual(
      [...confirmation, ...later].map((line) => line.replace("confirmation", "recovery")),
    );
    expect(pendingOf(apply(failing, [bad({ class: "gone" })]))).toEqual([...confirmation, ...later]);
  });

  test.each<[string, ProbeState, RequestResult]>([
    ["a first good check", emptyProbeState, good()],
    ["what stays good", served, good()],
    ["what stays bad", failing, bad()],
    ["a check that says nothing", failing, row()],
    ["the first check of a rare variant", served, bad({ variant: "unknown-id" })],
    ["another sample that differs in its own way", served, good({ sample: "b", findings: "x" })],
  ])("Extra checks do not follow %s", (_name, before, result) => {
    expect(apply(before, [result]).pending).toEqual([]);
  });

  test("Extra checks follow other differences from the document than the same sample had before", () => {
    const before = { ...inTurn([good({ atMs: start - hour, sample: "a", findings: "x" })]), pending: [] };
    expect(apply(before, [good({ sample: "a", findings: "x" })]).pending).toEqual([]);
    expect(apply(before, [good({ sample: "a", findings: "y" })]).pending).toHaveLength(12);
  });

  test("Extra checks follow a first bad check of all, because a watch may begin in an outage", () => {
    expect(apply(emptyProbeState, [bad()]).pending).toHaveLength(12);
  });

  test("Extra checks do not follow a change while a confirmation of all endpoints runs, nor one that flips back", () => {
    const changed = { ...apply(served, [bad()]), pending: [] };
    const again = (minutes: number, result: RequestResult) =>
      apply(changed, [{ ...result, atMs: start + minutes * minute }], start + minutes * minute).pending
        .length;
    expect(again(1, good())).toBe(0);
    expect(again(4, bad({ endpoint: "passport-list" }))).toBe(0);
    expect(again(5, good())).toBe(12);
  });

  test("Extra checks are one look at the endpoint after six changes of a day that did not last", () => {
    const short = Array.from({ length: 6 }, (_, index) => ({
      atMs: start - (index + 1) * hour,
      endpoint: "passport" as const,
      isSmall: false,
      hasLasted: false,
    })).reverse();
    const queuedAfter = (confirmations: typeof short) =>
      pendingOf(apply({ ...served, confirmations }, [bad()]));
    expect(queuedAfter(short)).toEqual(["1 passport authenticated confirmation"]);
    expect(queuedAfter(short.slice(1))).toHaveLength(12);
    const lasting = short.map((one, index) => ({ ...one, hasLasted: index === 0 }));
    expect(queuedAfter(lasting)).toHaveLength(12);
  });

  test("What fails for an hour or 1.5 rounds, within a day of another change, is asked 20 times more while it fails", () => {
    const change = { atMs: start - hour, endpoint: "passport" as const, isSmall: false, hasLasted: false };
    const failAt = (ms: number) => (state: ProbeState) =>
      apply({ ...state, pending: [] }, [bad({ atMs: ms })], ms);
    const failTwice = (state: ProbeState) => failAt(start + hour)(failAt(start)(state));
    const served: ProbeState = inTurn([good({ atMs: start - hour })]);
    const failing = failTwice({ ...served, confirmations: [change] });
    expect(failing.pending.map(({ atMs }) => atMs - start)).toEqual(
      Array.from({ length: 20 }, (_, index) => hour + (index + 1) * 4 * minute),
    );
    expect(new Set(failing.pending.map(({ condition }) => condition))).toEqual(new Set(["failing"]));
    // Once; not where nothing changed before; not where it was served between.
    expect(failAt(start + 2 * hour)(failing).pending).toEqual([]);
    expect(failTwice(served).pending).toEqual([]);
    const again = apply(failing, [good({ atMs: start + 1.1 * hour })], start + 1.1 * hour);
    expect(passportOf(again).failingSinceMs).toBeUndefined();
  });

  test("Extra checks confirm a rare variant that changed, and for anonymous requests all endpoints", () => {
    const servedIn = (variant: RequestResult["variant"]) => ({
      ...inTurn([good({ atMs: start - hour }), good({ atMs: start - hour, variant })]),
      pending: [],
    });
    const wallet = apply(servedIn("by-other-id"), [bad({ variant: "by-other-id" })]);
    expect(pendingOf(wallet)).toEqual([
      "1 passport by-other-id confirmation",
      "5 passport by-other-id confirmation",
    ]);
    const anonymous = apply(servedIn("anonymous"), [bad({ variant: "anonymous" })]);
    expect(anonymous.pending).toHaveLength(6);
    expect(apply(servedIn("anonymous"), [good({ variant: "anonymous" })]).pending).toEqual([]);
  });

  test("Extra checks are in the order of their time, at most 60, and one for each endpoint, variant and instant", () => {
    const waiting = (atMs: number, more: Partial<PendingCheck> = {}): PendingCheck => ({
      endpoint: "passport-list",
      variant: "authenticated",
      atMs,
      reason: "confirmation",
      ...more,
    });
    const conditional = waiting(start + minute, { condition: "differs" });
    const before = { ...emptyProbeState, pending: [waiting(start + hour), conditional] };
    const after = pendingOf(apply(before, [bad()]));
    // The check without a condition is the one that is kept.
    expect(after).toEqual([...[...confirmation, ...later], "60 passport-list authenticated confirmation"]);
    const many = Array.from({ length: maxPending }, (_, index) => waiting(start + (60 + index) * minute));
    const full = apply({ ...emptyProbeState, pending: many }, [bad()]).pending;
    expect(full).toHaveLength(maxPending);
    expect(full.slice(12)).toEqual(many.slice(0, maxPending - 12));
  });

  test("Extra checks are forgotten where the month's reserve is spent, and it says so", () => {
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

  test("A write of the probe state starts from an empty state and version 0, and reads again after a conflict", async () => {
    const ledger = ledgerOf(["conflict", "written"]);
    const written = await updateProbeState(ledger as never, add);
    expect(written).toMatchObject({ kind: "written", value: { spent: { "2026-11": 12 } } });
    expect(ledger.writes.map(({ value, version }) => [value.spent["2026-11"], version])).toEqual([
      [10, 0],
      [12, 2],
    ]);
  });

  test("A write of the probe state is left out where nothing changes, and ends with what the store says", async () => {
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
