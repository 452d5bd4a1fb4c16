// Requests are counted before they are sent: whenever a process dies, V1 has got at most what is counted.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createLedger } from "../../lib/aws/ledger.ts";
import type { Config } from "../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { cacheProbeState } from "../../lib/local/probe-state-cache.ts";
import { openReservedFile } from "../../lib/local/store/reserved-file.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import { type ProbeStateLedger, spend, updateProbeState } from "../../lib/probe/schedule/probe-state.ts";
import { runTick } from "../../lib/probe/tick.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { type Dynamo, startDynamo } from "../aws/dynamo-server.ts";
import { configure } from "../config/configure.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { fc } from "../random.ts";

const startMs = Date.parse("2026-11-15T00:00:00Z");
const minuteMs = 60_000;

/** A V1 that answers at once, or never. */
async function startV1() {
  const state = { requests: 0, isHanging: false };
  const arrived = new Set<() => void>();
  const server = createServer((_request, response) => {
    state.requests += 1;
    for (const resolve of arrived) resolve();
    if (!state.isHanging) response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const config = configure({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    samples: { ids: [1, 2, 3] },
  });
  const waitFor = async (requests: number) => {
    while (state.requests < requests)
      await new Promise<void>((resolve) => {
        const look = () => {
          arrived.delete(look);
          resolve();
        };
        arrived.add(look);
      });
  };
  return { state, config, waitFor };
}

type Run = { tickMs: number; only?: EndpointId | undefined; signal?: AbortSignal };

/** A process: once it is dead, it writes nothing more. */
function startProcess(ledger: ProbeStateLedger, config: Config) {
  let isDead = false;
  const own: ProbeStateLedger = {
    readProbeState: ledger.readProbeState,
    writeProbeState: (...given) => (isDead ? new Promise<never>(() => {}) : ledger.writeProbeState(...given)),
  };
  return {
    tick: ({ tickMs, only, signal }: Run) =>
      runTick({
        tickMs,
        only,
        signal,
        config,
        ledger: own,
        allowLoopback: true,
        nowMs: () => tickMs,
        readKey: async () => ({ kind: "key", key: "sentinel-key-3f2a" }),
      }),
    die() {
      isDead = true;
    },
  };
}

const readState = async (ledger: ProbeStateLedger) =>
  (await ledger.readProbeState())?.value ?? emptyProbeState;
const countSpent = async (ledger: ProbeStateLedger) =>
  Object.values((await readState(ledger)).spent).reduce((sum, requests) => sum + requests, 0);

let dynamo: Dynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});

const ledgers: [string, () => Promise<ProbeStateLedger>][] = [
  ["one machine", async () => openMemoryStore(() => startMs).ledger],
  [
    "AWS",
    async () =>
      createLedger({ tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client }),
  ],
];

describe.each(ledgers)("on %s", (name, open) => {
  const only = name === "AWS" ? endpointIds[0] : undefined;
  const perTick = only ? 1 : endpointIds.length;

  test(`A process that dies while V1 answers has counted its requests, and V1 is asked again after 1, 2, 4 … min: ${name}`, async () => {
    const { state, config, waitFor } = await startV1();
    const ledger = await open();
    state.isHanging = true;
    let tickMs = startMs;
    const waits = [1, 2, 4, 8, 16, 32, 36, 36];
    for (const [kills, minutes] of waits.entries()) {
      const killed = startProcess(ledger, config);
      void killed.tick({ tickMs, only });
      await waitFor((kills + 1) * perTick);
      killed.die();
      // Rare variants are booked too, and were not sent yet.
      expect(await countSpent(ledger)).toBeGreaterThanOrEqual(state.requests);
      // It is started again at once, and every half minute from then on.
      for (let soonMs = tickMs + 1_000; soonMs < tickMs + minutes * minuteMs; soonMs += minuteMs / 2) {
        const { observations, nextTickMs, deferred } = await startProcess(ledger, config).tick({
          tickMs: soonMs,
          only,
        });
        expect(observations).toEqual([]);
        expect(deferred[0]).toContain("was cut off");
        expect(nextTickMs).toBe(tickMs + minutes * minuteMs);
      }
      tickMs += minutes * minuteMs;
    }
    expect(state.requests).toBe(waits.length * perTick);
    state.isHanging = false;
    const { observations } = await startProcess(ledger, config).tick({ tickMs, only });
    expect(observations).toHaveLength(perTick);
    expect(await countSpent(ledger)).toBeGreaterThanOrEqual(state.requests);
    expect((await readState(ledger)).bookings).toEqual({});
  });

  test(`A process that is asked to stop counts exactly what it has sent: ${name}`, async () => {
    const { state, config, waitFor } = await startV1();
    const ledger = await open();
    state.isHanging = true;
    const stop = new AbortController();
    const stopped = startProcess(ledger, config).tick({ tickMs: startMs, only, signal: stop.signal });
    await waitFor(perTick);
    stop.abort();
    await stopped;
    expect(await countSpent(ledger)).toBe(state.requests);
    const never = startProcess(ledger, config).tick({
      tickMs: startMs + 40 * minuteMs,
      only,
      signal: AbortSignal.abort(),
    });
    expect((await never).observations).toEqual([]);
    expect(await countSpent(ledger)).toBe(state.requests);
    expect((await readState(ledger)).bookings).toEqual({});
  });
});

test("The same tick of a function that runs twice at once is one request", async () => {
  const { state, config } = await startV1();
  const [, openTable] = ledgers[1]!;
  const ledger = await openTable();
  const only = endpointIds[0];
  const runs = [1, 2, 3].map(() => startProcess(ledger, config).tick({ tickMs: startMs, only }));
  await Promise.all(runs);
  expect(state.requests).toBe(1);
  expect(await countSpent(ledger)).toBe(1);
});

test.each(["one tick", "a tick of each endpoint at once"])(
  "A store that refuses the booking does not stop checks, and what was sent is counted once it writes again: %s",
  async (ticks) => {
    const { state, config } = await startV1();
    const { ledger } = openMemoryStore(() => startMs);
    let isFull = true;
    const refusing = cacheProbeState({
      readProbeState: ledger.readProbeState,
      async writeProbeState(...given) {
        await nextTurn();
        return isFull ? { kind: "failed", why: "disk-full" } : ledger.writeProbeState(...given);
      },
    });
    const one = startProcess(refusing, config);
    const scopes = ticks === "one tick" ? [undefined] : endpointIds;
    const made = await Promise.all(scopes.map((only) => one.tick({ tickMs: startMs, only })));
    expect(made.flatMap(({ observations }) => observations)).toHaveLength(3);
    isFull = false;
    await one.tick({ tickMs: startMs + 12 * minuteMs });
    expect(await countSpent(ledger)).toBe(state.requests);
  },
);

type Fate = "lives" | "dies" | "stops" | "booking-refused";
const steps = fc.array(
  fc.record({
    minutes: fc.integer({ min: 0, max: 50 }),
    fate: fc.constantFrom<Fate>("lives", "dies", "stops", "booking-refused"),
  }),
  { minLength: 1, maxLength: 12 },
);

test("Whenever processes die, stop or cannot book, V1 never gets more than is counted, in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { state, config, waitFor } = await startV1();
      const { ledger } = openMemoryStore(() => startMs);
      let tickMs = startMs;
      for (const { minutes, fate } of given) {
        tickMs += minutes * minuteMs;
        const before = state.requests;
        const stop = new AbortController();
        let isRefused = fate === "booking-refused";
        const process = startProcess(
          {
            readProbeState: ledger.readProbeState,
            async writeProbeState(...write) {
              const isFirst = isRefused;
              isRefused = false;
              return isFirst ? { kind: "failed", why: "locked" } : ledger.writeProbeState(...write);
            },
          },
          config,
        );
        state.isHanging = fate === "dies" || fate === "stops";
        const running = process.tick({ tickMs, signal: stop.signal });
        if (fate === "dies") {
          await Promise.race([running, waitFor(before + 1)]);
          process.die();
        } else {
          if (fate === "stops") {
            await Promise.race([running, waitFor(before + 1)]);
            stop.abort();
          }
          await running;
        }
        expect(await countSpent(ledger)).toBeGreaterThanOrEqual(state.requests);
      }
      // A request that was under way when it was stopped may have arrived, and is counted.
      if (given.every(({ fate }) => fate !== "dies" && fate !== "stops"))
        expect(await countSpent(ledger)).toBe(state.requests);
    }),
    { numRuns: 25 },
  );
});

const fullSteps = fc.array(
  fc.record({
    minutes: fc.integer({ min: 0, max: 50 }),
    fate: fc.constantFrom("lives", "lives", "is-killed", "dies", "stops"),
    isFull: fc.boolean(),
    /** Another process, such as a comparison, counts its own requests. */
    others: fc.constantFrom(0, 0, 0, 7),
  }),
  { minLength: 1, maxLength: 12 },
);

test("While the disk is full, what V1 gets stays counted over kills and restarts, and nothing twice", async () => {
  await fc.assert(
    fc.asyncProperty(fullSteps, async (given) => {
      const { state, config, waitFor } = await startV1();
      const { ledger } = openMemoryStore(() => startMs);
      const path = join(makeFolder(), "watch.db.requests");
      const disk = { isFull: false };
      let others = 0;
      const start = () =>
        startProcess(
          cacheProbeState(
            {
              readProbeState: ledger.readProbeState,
              writeProbeState: async (...write) =>
                disk.isFull ? { kind: "failed", why: "disk-full" } : ledger.writeProbeState(...write),
            },
            openReservedFile(path),
          ),
          config,
        );
      let tickMs = startMs;
      let process = start();
      for (const step of given) {
        tickMs += step.minutes * minuteMs;
        disk.isFull = step.isFull;
        if (!disk.isFull && step.others > 0) {
          const reserved = await updateProbeState(ledger, (before) => spend(before, "2026-11", step.others));
          if (reserved.kind === "written") others += step.others;
        }
        const stop = new AbortController();
        state.isHanging = step.fate === "dies" || step.fate === "stops";
        const before = state.requests;
        const running = process.tick({ tickMs, signal: stop.signal });
        if (step.fate === "dies") await Promise.race([running, waitFor(before + 1)]);
        if (step.fate === "stops") {
          await Promise.race([running, waitFor(before + 1)]);
          stop.abort();
        }
        if (step.fate !== "dies") await running;
        if (step.fate === "dies" || step.fate === "is-killed") {
          process.die();
          process = start();
        }
      }
      [disk.isFull, state.isHanging] = [false, false];
      await start().tick({ tickMs: tickMs + 60 * minuteMs });
      const counted = await countSpent(ledger);
      expect(counted).toBeGreaterThanOrEqual(state.requests + others);
      if (given.every(({ fate }) => fate === "lives" || fate === "is-killed"))
        expect(counted).toBe(state.requests + others);
      // Nobody's id, and no key, is outside of the store.
      expect(readFileSync(path, "utf8")).not.toMatch(/"id"|"hashKey"/);
    }),
    { numRuns: 40 },
  );
});
