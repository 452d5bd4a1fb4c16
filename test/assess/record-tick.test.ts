import { expect, test } from "vitest";
import { recordTick, recordUnsavedTicks } from "../../lib/assess/record-tick.ts";
import type { Ledger } from "../../lib/ports.ts";
import { minuteMs, tickOf } from "./observation-builder.ts";

const startMs = Date.parse("2026-11-15T06:00:00Z");

function ledgerThat(isRefusing: () => boolean) {
  const stored: string[] = [];
  const append: Ledger["append"] = async ({ id }) => {
    if (isRefusing()) return { kind: "failed", why: "throttled" };
    stored.push(id);
    return { kind: "new" };
  };
  return { stored, ports: { ledger: { append } as Ledger } };
}

test("recordTick stores every observation, or returns the first failure", async () => {
  let isRefusing = false;
  const { stored, ports } = ledgerThat(() => isRefusing);
  expect(await recordTick(ports, tickOf(startMs))).toBeUndefined();
  expect(stored).toEqual(tickOf(startMs).map(({ id }) => id));
  isRefusing = true;
  expect(await recordTick(ports, tickOf(startMs))).toEqual({ kind: "failed", why: "throttled" });
});

test("recordUnsavedTicks keeps what the store refuses, and stores it in order later", async () => {
  let isRefusing = true;
  const { stored, ports } = ledgerThat(() => isRefusing);
  const unsaved = [0, 30].map((minute) => tickOf(startMs + minute * minuteMs));
  const ids = unsaved.flat().map(({ id }) => id);
  expect(await recordUnsavedTicks(ports, unsaved)).toEqual({ kind: "failed", why: "throttled" });
  expect(unsaved).toHaveLength(2);
  isRefusing = false;
  expect(await recordUnsavedTicks(ports, unsaved)).toBeUndefined();
  expect(unsaved).toEqual([]);
  expect(stored).toEqual(ids);
});
