// What the month and the last ten seconds leave, and whose turn it is.
import { describe, expect, test } from "vitest";
import type { Config } from "../../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import {
  computeCadenceMs,
  computeMonthBudget,
  computeRemainingBudget,
  countRecent,
  isReserveSpent,
  monthOf,
  requestsLeft,
  sampleTurn,
  scheduledAtMs,
  slotLengthMs,
  slotStartMs,
} from "../../../lib/probe/schedule/budget.ts";
import { emptyProbeState, type ProbeState } from "../../../lib/records/probe-state.ts";
import { day, minute, second, start, usual } from "./virtual-watch.ts";

const state = (more: Partial<ProbeState>): ProbeState => ({ ...emptyProbeState, ...more });
/** Every endpoint has had the check of its latest slot. */
const upToDate = (atMs: number, more: Partial<ProbeState> = {}) =>
  state({
    endpoints: Object.fromEntries(
      endpointIds.map((endpoint) => [endpoint, { last: {}, slotMs: slotStartMs(endpoint, atMs, usual) }]),
    ),
    ...more,
  });
const spentOf = (month: string, requests: number) => ({ spent: { [month]: requests } });

describe("the month", () => {
  test("The month is that of UTC, and has what was not spent of it", () => {
    expect([start - 1, start].map(monthOf)).toEqual(["2026-10", "2026-11"]);
    const spent = state({ spent: { "2026-10": 5_000, "2026-11": 1 } });
    expect(requestsLeft(start, spent, usual)).toBe(4_999);
    expect(requestsLeft(start - 1, spent, usual)).toBe(0);
    expect(requestsLeft(start, state(spentOf("2026-11", 6_000)), usual)).toBe(0);
  });

  test("The month needs a check in every slot until its end, and keeps a part of the reserve", () => {
    // 30 days of 120 slots. At its first instant the slot of the list begins, and the two others are due as well.
    expect(computeMonthBudget(start, emptyProbeState, usual)).toEqual({
      left: 5_000,
      slotsLeft: 3_599 + 3,
      spare: 5_000 - 3_602,
      reserve: 1_000,
      monthEndMs: start + 30 * day,
    });
    expect(computeMonthBudget(start + 15 * day, upToDate(start + 15 * day), usual)).toMatchObject({
      slotsLeft: 1_799,
      reserve: 500,
    });
    const lastMs = Date.UTC(2027, 0, 1) - 1;
    expect(computeMonthBudget(lastMs, upToDate(lastMs, spentOf("2026-12", 4_000)), usual)).toEqual({
      left: 1_000,
      slotsLeft: 0,
      spare: 1_000,
      reserve: 1,
      monthEndMs: lastMs + 1,
    });
  });

  test("The month stretches the cadence to the multiple that the rest can bear", () => {
    const calmMs = 36 * minute;
    const at = (left: number) =>
      computeCadenceMs(start, upToDate(start, spentOf("2026-11", 5_000 - left)), usual) / calmMs;
    // 3,599 slots are left.
    expect([5_000, 3_599, 3_598, 1_800, 1_799, 1].map(at)).toEqual([1, 1, 2, 2, 3, 3_599]);
    expect(at(0)).toBe(3_599);
    const endMs = start + 30 * day - 1;
    expect(computeCadenceMs(endMs, upToDate(endMs, spentOf("2026-11", 5_000)), usual)).toBe(calmMs);
  });

  test("The month has no reserve below a round of confirmation, and has it back with room for a whole outage", () => {
    const isSpent = (spare: number, wasSpent: boolean) =>
      isReserveSpent(
        start,
        upToDate(start, { ...spentOf("2026-11", 5_000 - 3_599 - spare), isReserveSpent: wasSpent }),
        usual,
      );
    expect([2, 3].map((spare) => isSpent(spare, false))).toEqual([true, false]);
    expect([11, 12].map((spare) => isSpent(spare, true))).toEqual([true, false]);
  });
});

describe("what may be requested now", () => {
  test("What may be requested now is what the month and the burst leave, and a third of it for one function of three", () => {
    const remaining = (more: Partial<ProbeState>, isShared = false) =>
      computeRemainingBudget(start, upToDate(start, more), usual, isShared);
    expect(remaining({})).toEqual({
      left: 5_000,
      now: 20,
      spare: 1_401,
      rareFloor: 500,
      monthEndMs: start + 30 * day,
    });
    expect(remaining({}, true)).toMatchObject({ left: 5_000, now: 6, spare: 467, rareFloor: 167 });
    expect(remaining({ recent: [{ atMs: start, requests: 8 }] }).now).toBe(12);
    expect(remaining({ recent: [{ atMs: start, requests: 25 }] }).now).toBe(0);
    expect(remaining(spentOf("2026-11", 4_995))).toMatchObject({ left: 5, now: 5, spare: 5 - 3_599 });
  });

  const count = (recent: ProbeState["recent"]) => countRecent(start, state({ recent }), usual);

  test("What may be requested now counts requests of the last ten seconds, and a retry until its deadline as well", () => {
    const { deadlineMs } = usual.timeouts;
    expect(count([{ atMs: start - 9_999, requests: 1 }])).toBe(1);
    expect(count([{ atMs: start - 10_000, requests: 1 }])).toBe(0);
    expect(count([{ atMs: start - 9_999 - deadlineMs, requests: 2 }])).toBe(2);
    expect(count([{ atMs: start - 10_000 - deadlineMs, requests: 2 }])).toBe(0);
    expect(
      count([
        { atMs: start, requests: 3 },
        { atMs: start - second, requests: 4 },
      ]),
    ).toBe(7);
  });

  test("What may be requested now does not count requests that a clock which has moved back wrote far ahead", () => {
    expect(count([{ atMs: start + 10_000, requests: 1 }])).toBe(1);
    expect(count([{ atMs: start + 10_001, requests: 1 }])).toBe(0);
  });
});

describe("slots", () => {
  test("Slots of the endpoints come one after another, and a round takes the cadence", () => {
    expect(slotLengthMs(usual)).toBe(12 * minute);
    const starts = (atMs: number) =>
      endpointIds.map((endpoint) => (slotStartMs(endpoint, atMs, usual) - start) / minute);
    expect(starts(start)).toEqual([0, -24, -12]);
    expect(starts(start + 12 * minute - 1)).toEqual([0, -24, -12]);
    expect(starts(start + 24 * minute)).toEqual([0, 12, 24]);
    expect(starts(start + 36 * minute)).toEqual([36, 12, 24]);
  });

  test("Slots are due where they were not used, and a used one leads to the next", () => {
    const due = (slotMs: number | undefined) =>
      scheduledAtMs("passport-list", {
        tickMs: start + minute,
        probeState: state({ endpoints: { "passport-list": { last: {}, slotMs } } }),
        config: usual,
        everyMs: 36 * minute,
      }) - start;
    expect(due(undefined)).toBe(0);
    expect(due(start)).toBe(36 * minute);
    expect(due(start - 36 * minute)).toBe(0);
    expect(due(start - 72 * minute)).toBe(-36 * minute);
    // A clock that has moved back: the slot that was used is still to come.
    expect(due(start + 36 * minute)).toBe(0);
    const first = { tickMs: start, probeState: emptyProbeState, config: usual, everyMs: 1 };
    expect(scheduledAtMs("passport-list", first)).toBe(start);
  });
});

describe("the turn of the samples", () => {
  const turn = (minutes: number, config: Config = usual) =>
    sampleTurn(start + minutes * minute, config) - sampleTurn(start, config);

  test("The turn of the samples changes with each round, and with each minute of extra checks", () => {
    expect([0, 1, 5, 35.9].map((minutes) => turn(minutes))).toEqual([0, 1, 5, 35]);
    expect([36, 37, 72].map((minutes) => turn(minutes))).toEqual([1, 2, 2]);
  });

  test("The turn of the samples changes with each extra check of a cadence that confirms faster than every minute", () => {
    const quick = { ...usual, cadence: { ...usual.cadence, confirm: "10s" } };
    expect([0, 1 / 6, 1].map((minutes) => turn(minutes, quick))).toEqual([0, 1, 6]);
    const slow = { ...usual, cadence: { ...usual.cadence, confirm: "5m" } };
    expect(turn(1, slow)).toBe(1);
  });

  test("The turn of the samples gives each endpoint another sample of three in the next round", () => {
    for (const endpoint of endpointIds satisfies readonly EndpointId[]) {
      const slotMs = slotStartMs(endpoint, start + day, usual);
      const turns = [0, 36, 72].map((minutes) => sampleTurn(slotMs + minutes * minute, usual) % 3);
      expect(new Set(turns).size).toBe(3);
    }
  });
});
