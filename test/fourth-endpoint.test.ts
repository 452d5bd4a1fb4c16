// A made-up fourth endpoint is one more row of the table in lib/contract/endpoints.ts, and no other line of lib is
// changed: it is planned, requested, validated, measured, assessed, shown on the page and in the report, and deployed.

import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { alarmSettings } from "../lib/config/assessment-settings.ts";

vi.mock("../lib/contract/endpoints.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../lib/contract/endpoints.ts")>();
  const { badges } = await import("./contract/made-up-endpoint.ts");
  const endpointTable = [...original.endpointTable, badges];
  return { ...original, endpointTable, ...original.indexEndpoints(endpointTable) };
});

import { alarmTable, listAlarms } from "../lib/assess/alarms/alarm-table.ts";
import { customMetrics } from "../lib/assess/metrics.ts";
import { loadConfig, requestsPerMonth } from "../lib/config/config.ts";
import { buildOpenApi } from "../lib/contract/openapi.ts";
import { type Monitor, startMonitor } from "../lib/local/monitor.ts";
import type { Summary } from "../lib/local/server/api-schemas.ts";
import { openStore } from "../lib/local/store/store.ts";
import { v1Fields } from "../lib/mapping/fields.ts";
import type { Observation } from "../lib/records/observation.ts";
import type { Report } from "../lib/records/report.ts";
import { scanConsumers } from "../lib/scan/index.ts";
import { startSimulator } from "../lib/simulator/server.ts";
import { run } from "./commands/terminal.ts";
import { badges } from "./contract/made-up-endpoint.ts";
import { makeFolder } from "./local/temporary-folder.ts";
import { configure } from "./stack/configuration.ts";
import { ofType, synthesise } from "./stack/synthesis.ts";

const hourMs = 3_600_000;
const folder = makeFolder();
const store = join(folder, "watch.db");
const key = "a-key-for-four-endpoints";
/** Ends shortly before now, because the commands read the clock. */
const clock = { nowMs: Math.floor(Date.now() / hourMs) * hourMs - 12 * hourMs };
let answer: "as documented" | "empty" | "retyped" | "broken" = "as documented";
const requestedSamples = new Set<string>();
const observations: Observation[] = [];
let monitor: Monitor;
let url: string;

/** The simulator knows three endpoints; the fourth is answered here. */
async function startV1() {
  const simulator = await startSimulator({ key, passports: 60, clock: { now: () => clock.nowMs } });
  const server = createServer(async (request, response) => {
    const target = new URL(request.url ?? "", simulator.url);
    const date = { Date: new Date(clock.nowMs).toUTCString(), "Content-Type": "application/json" };
    response.sendDate = false;
    if (target.pathname !== badges.path) {
      const headers = { "X-API-KEY": String(request.headers["x-api-key"] ?? key) };
      const served = await fetch(target, { headers });
      response.writeHead(served.status, date).end(await served.text());
      return;
    }
    const of = target.searchParams.get("of") ?? "";
    if (of !== "999999999") requestedSamples.add(of);
    if (of === "999999999") response.writeHead(404, date).end('{"error":"Resource not found."}');
    else if (answer === "broken") response.writeHead(500, date).end("{}");
    else {
      const colour = answer === "retyped" ? 7 : "green";
      const at = new Date(clock.nowMs - hourMs).toISOString();
      const record = { id: `badge-${of}`, colour, last_calculated_at: at };
      response.writeHead(200, date).end(JSON.stringify({ badges: answer === "empty" ? [] : [record] }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(async () => {
    server.close();
    await simulator.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function watchFor(lengthMs: number) {
  const untilMs = clock.nowMs + lengthMs;
  while (clock.nowMs < untilMs) {
    const tick = await monitor.once();
    observations.push(...tick.observations);
    clock.nowMs = Math.max(clock.nowMs + 1_000, tick.nextTickMs);
  }
}

const fetchText = async (path: string) => (await fetch(`${url}${path}`)).text();
const readSummary = async () => JSON.parse(await fetchText("/api/summary")) as Summary;
const ofBadges = () => observations.filter(({ endpoint }) => String(endpoint) === badges.id);

beforeAll(async () => {
  const fileText = JSON.stringify({ baseUrl: await startV1(), store, budget: { monthlyRequests: 8_000 } });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  const opened = openStore(store, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  monitor = await startMonitor({
    config: loaded.config,
    store: opened.store,
    allowLoopback: true,
    mode: "watch",
    channels: [],
    nowMs: () => clock.nowMs,
    onTick: () => {},
    signal: new AbortController().signal,
    readKey: async () => ({ kind: "key", key }),
    page: { port: 0, host: "127.0.0.1", allowHosts: [], version: "1.2.3" },
  });
  url = monitor.server?.url ?? "";
  await watchFor(3 * hourMs);
});

afterAll(() => monitor.close());

describe("a fourth endpoint", () => {
  test("A fourth endpoint is found by the scan: its call, and the fields that are read from it", async () => {
    const code = join(folder, "code");
    mkdirSync(code);
    const text = `export const f = async (id) => (await (await fetch("https://x/api/v1/badges?of=" + id)).json()).badges[0].colour;\n`;
    writeFileSync(join(code, "badges.js"), text);
    const { uses } = (await scanConsumers([{ root: code, as: "" }]))!;
    expect(uses).toMatchObject([
      { endpoint: badges.id, confidence: "high", calls: [1], fields: [{ path: "badges[].colour", line: 1 }] },
    ]);
  });

  test("A fourth endpoint is planned: a slot of its own in every round, and its share of the month's requests", () => {
    const scheduled = ofBadges().filter(({ reason, isPrimary }) => reason === "scheduled" && isPrimary);
    expect(scheduled.length).toBeGreaterThanOrEqual(4);
    expect(new Set(observations.map(({ endpoint }) => endpoint)).size).toBe(4);
    const month = requestsPerMonth(configure({ budget: { monthlyRequests: 8_000 } }));
    expect(month.rows[0]?.endpoints).toContain(badges.id);
    expect(month.rows.find(({ variant }) => variant === "unknown-id")?.endpoints).toContain(badges.id);
  });

  test("A fourth endpoint is requested for the samples that the list offers", () => {
    expect(ofBadges().every(({ outcome }) => outcome.kind === "ok" || outcome.status === 404)).toBe(true);
    expect(requestedSamples.size).toBeGreaterThanOrEqual(2);
    expect(requestedSamples).not.toContain("1");
  });

  test("A fourth endpoint is validated against its own schema", () => {
    const [first] = ofBadges();
    expect(first?.findings).toEqual([]);
    expect(first?.staleness?.ages?.newest).toBe(3_600);
    expect(first?.records).toHaveLength(1);
  });

  test("A fourth endpoint is counted in the metrics", async () => {
    expect(customMetrics).toContainEqual({ name: "RequestFailed", endpoint: badges.id });
    const metrics = await fetchText("/metrics");
    expect(metrics).toContain(`v1watch_request_failed_total{endpoint="${badges.id}"} 0`);
    expect(metrics).toContain(`v1watch_record_age_seconds{endpoint="${badges.id}"} 3600`);
  });

  test("A fourth endpoint is assessed: empty bodies, a retyped field and failures are incidents that name it", async () => {
    const openTitles = async () => (await readSummary()).firing.map(({ title }) => title);
    answer = "empty";
    await watchFor(3 * hourMs);
    expect(await openTitles()).toEqual([
      expect.stringMatching(/^V1 returns no badges for [23] sample passports/),
    ]);
    answer = "retyped";
    await watchFor(2 * hourMs);
    expect(await openTitles()).toEqual([`V1 changed the type of colour on ${badges.id}`]);
    expect((JSON.parse(await fetchText("/api/drift")) as unknown[])[0]).toMatchObject({
      endpoint: badges.id,
      path: "badges[].colour",
    });
    answer = "broken";
    await watchFor(2 * hourMs);
    expect(await openTitles()).toContain(`V1's ${badges.id} is down (500)`);
  });

  test("A fourth endpoint has a card on the page", async () => {
    const { cards } = await readSummary();
    expect(cards.map(({ endpoint }) => String(endpoint)).at(-1)).toBe(badges.id);
    expect(cards.at(-1)).toMatchObject({ tone: "critical" });
    expect(await fetchText(`/api/observations?endpoint=${badges.id}&limit=5`)).toContain('"500"');
  });

  test("A fourth endpoint is in the report", async () => {
    const { code } = await run(["report", "--format", "all", "--out", folder, "--store", store], {
      env: { V1WATCH_BUDGET: "8000" },
    });
    expect(code).toBe(0);
    const report = JSON.parse(await readFile(join(folder, "v1watch-report.json"), "utf8")) as Report;
    expect(report.health.find(({ endpoint }) => String(endpoint) === badges.id)?.answers).toBeGreaterThan(8);
    for (const extension of ["html", "md"])
      expect(await readFile(join(folder, `v1watch-report.${extension}`), "utf8")).toContain(
        extension === "md" ? `V1's ${badges.id} is down` : `V1&#39;s ${badges.id} is down`,
      );
  });

  test("A fourth endpoint is deployed with a prober, a schedule and alarms of its own", () => {
    const config = configure({ budget: { monthlyRequests: 8_000 } });
    const { resources } = synthesise(config);
    const names = (type: string, property: string) =>
      ofType(resources, type).map(({ Properties }) => String(Properties[property]));
    expect(names("AWS::Lambda::Function", "FunctionName")).toContain(`v1watch-probe-${badges.id}`);
    expect(names("AWS::Scheduler::Schedule", "Name").filter((name) => name.includes(badges.id))).toHaveLength(
      1,
    );
    const own = listAlarms(alarmTable(alarmSettings(config)))
      .filter(({ endpoint }) => String(endpoint) === badges.id)
      .map(({ name }) => `v1watch-${name}`);
    expect(own).toContain(`v1watch-request-failures-${badges.id}`);
    expect(names("AWS::CloudWatch::Alarm", "AlarmName")).toEqual(expect.arrayContaining(own));
  });

  test("A fourth endpoint is in the mapping to V2 and in the OpenAPI document", () => {
    expect(v1Fields).toContainEqual({ path: "badges[].colour", endpoint: badges.id });
    expect(buildOpenApi().paths).toHaveProperty([badges.path]);
  });
});
