// A service elsewhere that is called after each assessment, and raises its own alarm when the calls stop.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createHeartbeat } from "../../lib/delivery/heartbeat.ts";
import type { Store } from "../../lib/local/store/store.ts";
import { startRig } from "./monitor-rig.ts";

const minuteMs = 60_000;
const graceMs = 5 * minuteMs;

type Clock = { nowMs: number };

/** A check as Healthchecks has it: it is down when it was not called for longer than its grace. */
async function startOutsideService(clock: Clock) {
  const calls: { atMs: number; request: string }[] = [];
  const answer: { status: number | "hang"; text: string } = { status: 200, text: "OK" };
  const server = createServer((request, response) => {
    calls.push({ atMs: clock.nowMs, request: `${request.method} ${request.url}` });
    if (answer.status !== "hang") response.writeHead(answer.status).end(answer.text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/very-secret-token?status=up`,
    calls,
    answer,
    cut: () => server.closeAllConnections(),
    isUp: () => clock.nowMs - (calls.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) <= graceMs,
  };
}

async function start(wrapStore?: (store: Store) => Store) {
  const clock: Clock = { nowMs: Date.parse("2026-11-15T12:00:00Z") };
  const service = await startOutsideService(clock);
  const problems: (string | undefined)[] = [];
  const rig = await startRig({
    nowMs: () => clock.nowMs,
    heartbeat: {
      readUrl: async () => service.url,
      onProblem: (problem) => problems.push(problem),
    },
    ...(wrapStore && { wrapStore }),
  });
  onTestFinished(() => rig.stop());
  /** Ticks every half a minute. */
  const run = async (ms: number) => {
    for (const endMs = clock.nowMs + ms; clock.nowMs < endMs; clock.nowMs += 30_000) await rig.monitor.once();
  };
  const readHealth = async () => {
    const response = await fetch(`${rig.url}/healthz`);
    return { status: response.status, text: await response.text() };
  };
  return { clock, service, problems, rig, run, readHealth };
}

test("The heartbeat is called at most once a minute, whatever V1 does, and the outside service notices the end of the monitor.", async () => {
  const { clock, service, rig, run } = await start();
  await run(3 * minuteMs);
  expect(service.isUp()).toBe(true);
  expect(new Set(service.calls.map(({ request }) => request))).toEqual(
    new Set(["GET /ping/very-secret-token?status=up"]),
  );
  rig.simulation.start("gone");
  await run(8 * minuteMs);
  expect(rig.monitor.currentState.verdict(clock.nowMs).kind).toBe("fault");
  expect(service.isUp()).toBe(true);
  const gaps = service.calls.slice(1).map(({ atMs }, index) => atMs - (service.calls[index]?.atMs ?? 0));
  expect(gaps.length).toBeGreaterThan(5);
  expect(Math.min(...gaps)).toBe(minuteMs);
  expect(Math.max(...gaps)).toBeLessThan(graceMs);
  // The monitor does nothing more, and time goes on elsewhere.
  clock.nowMs += graceMs + minuteMs;
  expect(service.isUp()).toBe(false);
});

test("The heartbeat stops while nothing can be assessed, although the process is alive.", async () => {
  const disk = { isFull: false };
  const { service, rig, run } = await start((store) => ({
    ...store,
    ledger: {
      ...store.ledger,
      append: async (observation) =>
        disk.isFull ? { kind: "failed", why: "ENOSPC" } : store.ledger.append(observation),
    },
  }));
  await run(2 * minuteMs);
  expect(service.isUp()).toBe(true);
  const before = service.calls.length;
  disk.isFull = true;
  await run(graceMs + minuteMs);
  expect(rig.monitor.currentState.tick()?.degraded).toMatchObject({ why: "ENOSPC" });
  expect(service.calls).toHaveLength(before);
  expect(service.isUp()).toBe(false);
  disk.isFull = false;
  await run(minuteMs);
  expect(service.isUp()).toBe(true);
});

test("A heartbeat that is not accepted is named in /healthz and in the log, and is no incident.", async () => {
  const { service, problems, rig, run, readHealth } = await start();
  await run(minuteMs);
  expect((await readHealth()).text).not.toContain("heartbeat");
  // Both services say no with a status 200 too.
  for (const [status, text, why] of [
    [404, "", "status 404"],
    [200, "OK (not found)", "status 200, but not accepted"],
    [200, '{"ok":false,"msg":"Monitor not found or not active."}', "status 200, but not accepted"],
  ] as const) {
    Object.assign(service.answer, { status, text });
    await run(2 * minuteMs);
    const health = await readHealth();
    expect(health.status).toBe(200);
    expect(health.text).toContain(`The heartbeat has not been accepted since 2026-11-15 12:`);
    expect(health.text).toContain(`(${why})`);
    expect(health.text).not.toContain("very-secret-token");
  }
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain("(status 404)");
  Object.assign(service.answer, { status: 200, text: '{"ok":true}' });
  await run(2 * minuteMs);
  expect((await readHealth()).text).not.toContain("heartbeat");
  expect(problems.slice(1)).toEqual([undefined]);
  expect(rig.monitor.currentState.assessState().incidents).toEqual([]);
});

test("A heartbeat that hangs delays nothing, and no second one is started beside it.", async () => {
  const clock: Clock = { nowMs: 0 };
  const service = await startOutsideService(clock);
  service.answer.status = "hang";
  const heartbeat = createHeartbeat({ readUrl: async () => service.url, onProblem() {} }, () => clock.nowMs);
  heartbeat.beat();
  while (service.calls.length === 0) await new Promise(setImmediate);
  clock.nowMs += 10 * minuteMs;
  heartbeat.beat();
  service.cut();
  await heartbeat.settle();
  expect(service.calls).toHaveLength(1);
  expect(heartbeat.problem()).toContain("since 1970-01-01 00:00 UTC (ECONNRESET)");
});
