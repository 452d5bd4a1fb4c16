// Checks that were due and not sent, through the real watch on a virtual clock: one alert with the remedy, and one RESOLVED.
import { afterAll, expect, test } from "vitest";
import { readAssessment } from "../../lib/assess/assess.ts";
import { readVerdict } from "../../lib/assess/verdict.ts";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import type { Config } from "../../lib/config/config.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../../lib/local/simulation.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import { watch } from "../../lib/local/watch-loops.ts";
import type { HttpProxy, KeyResult } from "../../lib/ports.ts";
import type { Transport } from "../../lib/probe/probe.ts";
import { type Alert, textOf } from "../../lib/records/alert.ts";
import { hourMs, minuteMs } from "../../lib/time.ts";
import { type Answer, say, startConnectProxy } from "../probe/http/connect-proxy.ts";
import { acceptAlerts } from "./receivers.ts";

const cleanups: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanups) await cleanUp();
});

type Change = {
  allowLoopback?: boolean;
  key?: KeyResult;
  monthlyRequests?: number;
  /** V1 is known by a name that only the proxy knows. */
  proxy?: HttpProxy;
  deadlineMs?: number | undefined;
  /** Called before each wait of the loop; how much longer the wait takes. */
  sleepMs?(nowMs: number): number;
  onTick?(tickMs: number, alerts: readonly Alert[]): void;
  /** Whether a tick throws before its first check. */
  isBroken?(): boolean;
};

/** The clock stands still while a request waits for its second attempt. */
const withoutPause: Transport = { request: { retryPauseMs: 0 }, headers: () => [], read: (one) => one };

/** A watch at the default cadence; `run` is one process of it. */
async function prepare() {
  const clock = { nowMs: Date.parse("2026-11-10T10:00:00Z") };
  const { simulator } = await startSimulation({ passports: 10, clock: { now: () => clock.nowMs } });
  const store = openMemoryStore(() => clock.nowMs);
  cleanups.push(
    () => store.close(),
    () => simulator.close(),
  );
  const { cadence, ...rest } = configForSimulator(simulator.url, 10, "memory");
  async function run(forMs: number, change: Change = {}): Promise<Alert[]> {
    const stopping = new AbortController();
    const untilMs = clock.nowMs + forMs;
    const alerts: Alert[] = [];
    const config: Config = {
      ...rest,
      ...(change.proxy && {
        baseUrl: "http://v1.example",
        timeouts: { deadlineMs: change.deadlineMs ?? 30_000 },
      }),
      alerts: { ...rest.alerts, pageAfter: undefined },
      retirement: { date: "2027-06-30" },
      cadence: { ...cadence, calm: "36m", confirm: "1m", rare: "1d" },
      budget: { monthlyRequests: change.monthlyRequests ?? 5_000 },
    };
    await watch({
      config,
      ports: {
        nowMs: () => clock.nowMs,
        async readKey() {
          if (change.isBroken?.()) throw new Error("broken");
          return change.key ?? { kind: "key", key: simulatorKey };
        },
        proxy: change.proxy,
        ledger: store.ledger,
        outbox: store.outbox,
        receivers: [acceptAlerts((alert) => alerts.push(alert))],
      },
      settings: assessmentSettings(config),
      transport: withoutPause,
      allowLoopback: change.allowLoopback ?? true,
      signal: stopping.signal,
      onTick: ({ tickMs }) => change.onTick?.(tickMs, alerts),
      async wait(ms, _signal, ended) {
        if (ended) return ended;
        clock.nowMs += ms + (change.sleepMs?.(clock.nowMs) ?? 0);
        if (clock.nowMs >= untilMs) stopping.abort();
      },
    });
    return alerts.filter(({ rule }) => rule !== "digest" && rule !== "sunset" && rule !== "budget");
  }
  async function readHeadline(): Promise<string> {
    const assessment = await readAssessment(
      store.ledger,
      assessmentSettings({ ...rest, cadence }),
      clock.nowMs,
    );
    return readVerdict({ ...assessment, nowMs: clock.nowMs }).headline;
  }
  return { clock, simulator, run, readHeadline };
}

const summarise = (alerts: readonly Alert[]) =>
  alerts.map(({ event, severity, rule, scope }) => `${event} ${severity} ${rule} ${scope}`);

test.each(["new", "old"])(
  "A V1 on this machine without --allow-loopback is told once with the remedy, and once more when it is repaired, in a %s store",
  async (age) => {
    const { clock, simulator, run } = await prepare();
    if (age === "old") expect(await run(hourMs)).toEqual([]);
    const [sinceMs, requests] = [clock.nowMs, simulator.requests()];
    const refused = await run(3 * hourMs, { allowLoopback: false });
    expect(simulator.requests()).toBe(requests);
    expect(summarise(refused)).toEqual(["opened page address-refused api"]);
    const [opened] = refused as [Alert];
    // The endpoints take turns: the third check is made within a round.
    expect(Date.parse(opened.at) - sinceMs).toBeLessThanOrEqual(36 * minuteMs);
    expect(opened.subject).toContain("PAGE: v1watch refuses V1's address: V1 is not checked, since");
    expect(textOf(opened)).toContain("--allow-loopback");
    expect(textOf(opened)).toContain("allowPrivateNetworks");
    const repaired = await run(hourMs);
    expect(summarise(repaired)).toEqual(["resolved page address-refused api"]);
    expect(repaired[0]?.id.split("/")[0]).toBe(opened.id.split("/")[0]);
  },
);

test("A request budget that is spent is told once with its reason, and once more when it is raised", async () => {
  const { clock, simulator, run } = await prepare();
  expect(await run(hourMs)).toEqual([]);
  const [sinceMs, requests] = [clock.nowMs, simulator.requests()];
  const spent = await run(4 * hourMs, { monthlyRequests: requests });
  expect(simulator.requests()).toBe(requests);
  expect(summarise(spent)).toEqual(["opened page silent api"]);
  expect(Date.parse(spent[0]!.at) - sinceMs).toBeLessThanOrEqual(36 * minuteMs);
  expect(textOf(spent[0]!)).toContain("budget.monthlyRequests");
  expect(summarise(await run(2 * hourMs))).toEqual(["resolved page silent api"]);
});

test("A key that is lost is told once, and once more when it is back", async () => {
  const { run } = await prepare();
  expect(await run(hourMs)).toEqual([]);
  expect(summarise(await run(3 * hourMs, { key: { kind: "no-secret" } }))).toEqual([
    "opened page no-secret api",
  ]);
  expect(summarise(await run(hourMs))).toEqual(["resolved page no-secret api"]);
});

const through = (address: string): HttpProxy => ({
  readAddress: async () => ({ kind: "key", key: address }),
  noProxy: "",
});

type Cause = { answer?: Answer; cause: string; remedy: string };

const proxyCauses: Record<string, Cause> = {
  refuses: {
    answer: say("403 Forbidden"),
    cause: "refused by the proxy",
    remedy: "allow CONNECT to V1's host",
  },
  "wants other credentials": {
    answer: say("407 Denied"),
    cause: "407 from the proxy",
    remedy: "Put the user and the password",
  },
  "never answers": { answer: () => {}, cause: "proxy slow", remedy: "Check the proxy's load" },
  "closes the connection": {
    answer: (client) => client.destroy(),
    cause: "connection closed by the proxy",
    remedy: "proxy is used",
  },
  "speaks no HTTP": { answer: (client) => client.end("no"), cause: "no HTTP proxy", remedy: "proxy is used" },
  fails: {
    answer: say("500 Unable to connect"),
    cause: "error of the proxy",
    remedy: "Read the proxy's log",
  },
};

function expectProxyFailed(told: readonly Alert[], { cause, remedy }: Cause): void {
  expect(summarise(told)).toEqual(["opened page proxy-failed api"]);
  expect(told[0]!.subject).toContain("v1watch gets no connection from its proxy: V1 is not checked, since");
  expect(textOf(told[0]!)).toContain(`not sent through the proxy: ${cause}.`);
  expect(textOf(told[0]!)).toContain(remedy);
  expect(textOf(told[0]!)).not.toMatch(/sentinel-password|127\.0\.0\.1/);
}

test("A proxy that is down is told once with its cause and remedy, and once more when it is back", async () => {
  const { simulator, run, readHeadline } = await prepare();
  const proxy = await startConnectProxy({ port: Number(new URL(simulator.url).port) });
  cleanups.push(proxy.close);
  const working = { proxy: through(`http://user:sentinel-password@${proxy.host}`), allowLoopback: false };
  expect(await run(2 * hourMs, working)).toEqual([]);
  const requests = simulator.requests();
  expect(requests).toBeGreaterThan(0);
  const told = await run(3 * hourMs, { proxy: through("http://127.0.0.1:1"), allowLoopback: false });
  expect(simulator.requests()).toBe(requests);
  expectProxyFailed(told, { cause: "proxy unreachable", remedy: "Check that the proxy runs" });
  expect(await readHeadline()).toContain(
    "V1 is not checked: its proxy opens no connection (proxy unreachable)",
  );
  expect(summarise(await run(hourMs, working))).toEqual(["resolved page proxy-failed api"]);
});

test.each(Object.entries(proxyCauses))(
  "A proxy that %s is told with its cause and remedy, also by a watch that has made no check yet",
  async (_which, told) => {
    const { simulator, run } = await prepare();
    const proxy = await startConnectProxy({ answer: told.answer });
    cleanups.push(proxy.close);
    const given = through(`http://user:sentinel-password@${proxy.host}`);
    // A short deadline only where it has to pass.
    const deadlineMs = told.cause === "proxy slow" ? 100 : undefined;
    expectProxyFailed(await run(hourMs, { proxy: given, allowLoopback: false, deadlineMs }), told);
    expect(simulator.requests()).toBe(0);
  },
);

test("A V1 of which the proxy says 504 is down, and the page says who says so", async () => {
  const { simulator, run, readHeadline } = await prepare();
  const proxy = await startConnectProxy({ port: Number(new URL(simulator.url).port) });
  cleanups.push(proxy.close);
  const given = { proxy: through(proxy.address), allowLoopback: false };
  expect(await run(2 * hourMs, given)).toEqual([]);
  proxy.options.answer = say("504 x");
  const told = await run(2 * hourMs, given);
  expect(summarise(told)).toEqual(["opened page down api"]);
  expect(told[0]!.subject).toContain("V1 is down on all 3 endpoints (504 from the proxy)");
  expect(textOf(told[0]!)).toContain("Ask the proxy's owner whether the proxy reaches V1");
  expect(await readHeadline()).toContain("504 from the proxy");
  delete proxy.options.answer;
  expect(summarise(await run(2 * hourMs, given))).toEqual(["resolved page down api"]);
});

test("A machine that slept for 8 hours tells nobody that V1 was not checked", async () => {
  const { clock, run } = await prepare();
  const fellAsleepMs = clock.nowMs + hourMs;
  let hasSlept = false;
  const alerts = await run(12 * hourMs, {
    sleepMs(nowMs) {
      if (hasSlept || nowMs < fellAsleepMs) return 0;
      hasSlept = true;
      return 8 * hourMs;
    },
  });
  expect(summarise(alerts)).toEqual([]);
  // Another process on this store concludes the same.
  expect(summarise(await run(hourMs))).toEqual([]);
});

test("A watch that cannot make checks after a sleep is told at its second tick, and once more when it can", async () => {
  const { clock, run } = await prepare();
  const fellAsleepMs = clock.nowMs + hourMs;
  let wokeMs = Number.POSITIVE_INFINITY;
  /** How many alerts of silence there were after each tick since the sleep. */
  const counts: number[] = [];
  const alerts = await run(11 * hourMs, {
    sleepMs(nowMs) {
      if (wokeMs < Number.POSITIVE_INFINITY || nowMs < fellAsleepMs) return 0;
      wokeMs = nowMs + 8 * hourMs;
      return 8 * hourMs;
    },
    isBroken: () => clock.nowMs >= wokeMs && clock.nowMs < wokeMs + hourMs,
    onTick: (tickMs, told) =>
      tickMs >= wokeMs && counts.push(told.filter(({ rule }) => rule === "silent").length),
  });
  expect(counts.slice(0, 3)).toEqual([0, 1, 1]);
  expect(summarise(alerts)).toEqual(["opened page silent api", "resolved page silent api"]);
});
