// Three days without faults, as the functions run it: every minute three probers on a simulated V1, every 15 minutes an
// assessment, all data points to a server that speaks CloudWatch's protocol.

import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { forCloudWatch, publishedMetrics } from "../../lib/assess/alarms/published.ts";
import { assess, type Memory } from "../../lib/assess/assess.ts";
import { type MetricName, metricOf, namespaceOf, toDataPoints, units } from "../../lib/assess/metrics.ts";
import { recordTick } from "../../lib/assess/record-tick.ts";
import { createCloudWatchPublisher } from "../../lib/aws/cloudwatch.ts";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { openStore } from "../../lib/local/store/store.ts";
import type { Ports, Versioned } from "../../lib/ports.ts";
import { runTick } from "../../lib/probe/tick.ts";
import type { ProbeState } from "../../lib/records/probe-state.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { billedMetrics, estimateCost } from "../../lib/stack/cost.ts";
import { prices } from "../../lib/stack/prices.ts";
import { startCloudWatch } from "../aws/cloudwatch-server.ts";
import { acceptAlerts, openMemoryOutbox } from "../local/receivers.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { configure } from "../stack/configuration.ts";
import { readDashboard } from "../stack/dashboard.ts";
import { synthesise } from "../stack/synthesis.ts";

process.env.CDK_VALIDATION = "false";
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const days = 3;
const hours = days * 24;
const startMs = Date.parse("2026-11-09T00:00:00Z");
const key = "a-key-of-the-simulator";
const folder = makeFolder();

const cloudWatch = await startCloudWatch();
let nowMs = startMs;
const simulator = await startSimulator({ passports: 60, key, clock: { now: () => nowMs } });
const passport = simulator.population.idOf(simulator.population.ranked()[0]!);

/** The configuration that is deployed, but for the address of V1. */
const configOf = (calm: string) =>
  configure({ baseUrl: simulator.url, samples: { ids: [passport] }, cadence: { calm } });

function createProbeStateLedger(): Pick<Ports["ledger"], "readProbeState" | "writeProbeState"> {
  let known: Versioned<ProbeState> | undefined;
  return {
    readProbeState: async () => known,
    async writeProbeState(value, version) {
      if (version !== (known?.version ?? 0)) return { kind: "conflict" };
      known = { value, version: version + 1 };
      return { kind: "written" };
    },
  };
}

async function runDays(calm: string): Promise<void> {
  cloudWatch.clear();
  const config = configOf(calm);
  const opened = openStore(join(folder, `${calm}.db`), { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { close } = opened.store;
  const ledger = { ...opened.store.ledger, ...createProbeStateLedger() };
  const { outbox } = openMemoryOutbox();
  const ports: Ports = {
    ledger,
    outbox,
    nowMs: () => nowMs,
    readKey: async () => ({ kind: "key", key }),
    receivers: [acceptAlerts()],
    publishMetrics: createCloudWatchPublisher({
      namespace: namespaceOf("v1watch"),
      units,
      nowMs: () => nowMs,
      client: cloudWatch.client,
      onDropped: (cause) => expect.fail(cause),
    }),
    readSubscriptions: async () => ({
      at: new Date(nowMs).toISOString(),
      expected: 1,
      confirmed: 1,
      unconfirmed: [],
    }),
  };
  const memory: Memory = {};
  const settings = assessmentSettings(config);
  /** A function runs every minute, and nothing is due before this. */
  const dueMs = new Map<EndpointId, number>();
  for (let minute = 0; minute < hours * 60; minute++) {
    const tickMs = startMs + minute * minuteMs;
    nowMs = tickMs + 900;
    const probeEndpoint = async (endpoint: EndpointId) => {
      if (tickMs < (dueMs.get(endpoint) ?? 0)) return;
      const { observations, nextTickMs } = await runTick({
        tickMs,
        config,
        ledger,
        readKey: ports.readKey,
        nowMs: ports.nowMs,
        only: endpoint,
        allowLoopback: true,
      });
      dueMs.set(endpoint, nextTickMs);
      // The simulator speaks without TLS; V1 has a certificate.
      const seen = observations.map((one) => ({ ...one, tls: { expiresAt: "2027-06-01T00:00:00Z" } }));
      await recordTick(ports, seen);
      for (const one of seen) await ports.publishMetrics?.(forCloudWatch(toDataPoints(one, settings)));
    };
    await Promise.all(endpointIds.map(probeEndpoint));
    if (minute % 5 === 2) await assess(ports, settings, memory);
  }
  close();
}

describe.each(["36m", "40m"])("three days without faults, with a check every %s", (calm) => {
  const config = configOf(calm);
  const namespace = namespaceOf("v1watch");
  const whole = { fromMs: startMs, untilMs: startMs + hours * hourMs };
  const widgets = readDashboard(synthesise({ ...config, baseUrl: "https://api.example.com" }).resources);

  beforeAll(() => runDays(calm));

  test("Three days without faults have data points of every metric that is published with checks in every hour", async () => {
    const checked = publishedMetrics.filter(
      ({ name, endpoint }) => endpoint && metricOf(name).when === "check",
    );
    expect(checked.length).toBeGreaterThan(0);
    for (const { name, endpoint } of checked) {
      const dimension = { Name: "Endpoint", Value: String(endpoint) };
      const found = await cloudWatch.read({ namespace, name, dimension }, { ...whole, periodSeconds: 3_600 });
      expect(found.length, `${name} ${endpoint}`).toBe(hours);
    }
  });

  test("Three days without faults have a line in every graph of an endpoint", async () => {
    const lines = widgets
      .flatMap((widget) => widget.lines)
      .filter((line) => line.namespace === namespace && line.dimension);
    expect(lines.length).toBeGreaterThan(10);
    for (const { name = "", dimension, periodSeconds } of lines) {
      const found = await cloudWatch.read(
        { namespace, name, dimension },
        { ...whole, periodSeconds: Math.max(3_600, periodSeconds) },
      );
      expect(found.length, name).toBeGreaterThan(0);
    }
  });

  test("Three days without faults have rates of 0 from every check of the cadence, and latencies and ages that were measured", async () => {
    const read = (name: MetricName) => {
      const dimension = { Name: "Endpoint", Value: "passport-list" };
      return cloudWatch.read({ namespace, name, dimension }, { ...whole, periodSeconds: 86_400 });
    };
    const checks = (24 * 60) / Number.parseInt(calm, 10);
    for (const name of ["RequestFailed", "Unauthorized", "BreakingDrift"] as const)
      for (const { average, samples } of await read(name)) {
        expect(average, name).toBe(0);
        expect(Math.abs(samples - checks), name).toBeLessThanOrEqual(1);
      }
    for (const { minimum } of [...(await read("LatencyMs")), ...(await read("RecordAgeSeconds"))])
      expect(minimum).toBeGreaterThan(0);
  });

  test("Three days without faults are billed as the estimate counts it", () => {
    const billedHours = new Set(
      cloudWatch.calls.flatMap(({ MetricData }) =>
        MetricData.map(({ MetricName: name, Dimensions, Timestamp }) =>
          JSON.stringify([name, Dimensions, Math.floor(Timestamp / 3_600)]),
        ),
      ),
    );
    const measured = billedHours.size / hours;
    // The estimate contains the days to a date, which is not known here and therefore not published.
    const estimated = billedMetrics(config) - 1;
    expect(estimated).toBeGreaterThanOrEqual(measured - 0.1);
    expect(estimated).toBeLessThanOrEqual(measured + 0.2);
    const sent = estimateCost(config).lines.find(({ line }) => line === "metrics sent");
    const estimatedCalls = (sent?.usd ?? 0) / prices.putMetricData.usd;
    const calls = (cloudWatch.calls.length * 30) / days;
    expect(estimatedCalls).toBeGreaterThanOrEqual(calls);
    // The estimate contains the reserve for confirmations, which days without faults do not need.
    expect(estimatedCalls).toBeLessThanOrEqual(1.2 * calls);
  });
});
