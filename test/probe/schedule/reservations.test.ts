// A reservation in the probe state, write by write, in a store of this test.
import { expect, test } from "vitest";
import { openMemoryStore } from "../../../lib/local/store/store.ts";
import { createSharedBudget } from "../../../lib/probe/schedule/shared-budget.ts";
import { emptyProbeState, type ProbeState } from "../../../lib/records/probe-state.ts";
import { start, usual } from "./virtual-watch.ts";

function open(from: Partial<ProbeState> = {}) {
  const { ledger: memory } = openMemoryStore(() => start, { ...emptyProbeState, ...from });
  const writes: ProbeState[] = [];
  const ledger: typeof memory = {
    ...memory,
    async writeProbeState(value, version) {
      writes.push(value);
      return memory.writeProbeState(value, version);
    },
  };
  const budget = createSharedBudget({ ledger, config: usual, nowMs: () => start });
  return { budget, writes, read: async () => (await memory.readProbeState())?.value };
}

test("Nothing is reserved or written where the watch needs all that is left", async () => {
  const { budget, writes } = open({ spent: { "2026-11": 4_000 } });
  // 1,000 are left, and the slots of the month need more than 3,000.
  expect(await budget.remaining()).toMatchObject({ spare: 0, kept: 1_000 });
  const reservation = await budget.reserve(10);
  expect(reservation).toMatchObject({ requests: 0, limitedBy: "watch" });
  await reservation.release(0);
  expect(writes).toEqual([]);
});

test("Whole units are reserved: none where less than one can be spared or is wanted", async () => {
  const { budget, writes } = open();
  expect(await budget.reserve(3, 4)).toMatchObject({ requests: 0, limitedBy: "watch" });
  expect(writes).toEqual([]);
  const whole = await budget.reserve(8, 4);
  expect(whole.requests).toBe(8);
  expect(whole.limitedBy).toBeUndefined();
  await whole.release(0);
  expect(writes).toHaveLength(1);
  await whole.release(3);
  expect(writes.map(({ spent }) => spent["2026-11"])).toEqual([8, 5]);
});

test("A request that may leave is remembered, and none leaves after a stop", async () => {
  const { budget, read, writes } = open();
  await budget.acquireSlot();
  expect((await read())?.recent).toEqual([{ atMs: start, requests: 1 }]);
  await budget.acquireSlot(AbortSignal.abort());
  expect(writes).toHaveLength(1);
});

test("A reservation that the store did not take gives nothing back", async () => {
  const { ledger: memory } = openMemoryStore(() => start);
  let writes = 0;
  const ledger = {
    ...memory,
    writeProbeState: async () => {
      writes += 1;
      return { kind: "failed", why: "disk-full" } as const;
    },
  };
  const budget = createSharedBudget({ ledger, config: usual, nowMs: () => start });
  const reservation = await budget.reserve(8);
  expect(reservation).toMatchObject({ requests: 0, limitedBy: "store" });
  await reservation.release(8);
  expect(writes).toBe(1);
});
