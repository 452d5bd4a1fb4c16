// Whatever a store holds, every surface says the same of V1: the commands, the page's data, /healthz, the badge, the icon,
// /metrics and the report. None of them says that V1 is up without recent checks that prove it.

import { join } from "node:path";
import { expect, test } from "vitest";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { startMonitor } from "../../lib/local/monitor.ts";
import type { Summary } from "../../lib/local/server/api-schemas.ts";
import { openStore } from "../../lib/local/store/store.ts";
import type { Observation } from "../../lib/records/observation.ts";
import type { Report } from "../../lib/records/report.ts";
import { minuteMs, observationOf } from "../assess/observation-builder.ts";
import { configure } from "../config/configure.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { createChance, runs } from "../random.ts";
import { run } from "./terminal.ts";

const grey = "#59636e";
const green = "#1a7f37";
const kinds = ["up", "fault", "unknown"] as const;

type Check = Parameters<typeof observationOf>[0];
const outcomes: Check[] = [
  {},
  {},
  {},
  { status: 503 },
  { status: 401 },
  { outcome: { kind: "refused", detail: "address" }, attempts: [] },
  { outcome: { kind: "no-secret" }, attempts: [] },
];

/** Rounds of checks up to some time ago, or ahead; an endpoint may be missing. */
function drawLog(chance: () => number): Observation[] {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(chance() * items.length)]!;
  const endMs = Date.now() - pick([-20, 0, 0, 0, 5, 30, 90, 3_000]) * minuteMs;
  const rounds = pick([1, 3, 8]);
  const [before, after] = [pick(outcomes), pick(outcomes)];
  const missing = pick<EndpointId | undefined>([undefined, undefined, undefined, ...endpointIds]);
  return Array.from({ length: rounds }, (_, index) =>
    endpointIds
      .filter((endpoint) => endpoint !== missing)
      .map((endpoint) =>
        observationOf({
          ...(index < rounds / 2 ? before : after),
          endpoint,
          at: endMs - (rounds - 1 - index) * 4 * minuteMs,
        }),
      ),
  ).flat();
}

async function write(file: string, log: readonly Observation[]): Promise<void> {
  const opened = openStore(file, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { ledger } = opened.store;
  await ledger.saveSettings(assessmentSettings(configure()));
  for (const observation of log) await ledger.append(observation);
  opened.store.close();
}

/** A monitor that has just started and has not checked anything. */
async function readServer(file: string) {
  const opened = openStore(file, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const monitor = await startMonitor({
    config: { ...configure(), store: file },
    store: opened.store,
    readKey: async () => ({ kind: "no-secret" }),
    channels: [],
    allowLoopback: false,
    mode: "watch",
    signal: new AbortController().signal,
    page: { port: 0, host: "127.0.0.1", allowHosts: [], version: "1.2.3" },
    onTick() {},
  });
  const read = async (path: string) => {
    const response = await fetch(`${monitor.server?.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  try {
    const [summary, health, live, badge, icon, metrics] = await Promise.all(
      ["/api/summary", "/healthz", "/livez", "/badge.svg", "/icon.svg", "/metrics"].map(read),
    );
    return { summary: JSON.parse(summary!.text) as Summary, health, live, badge, icon, metrics };
  } finally {
    await monitor.close();
  }
}

test("Every surface says the same of V1, for random stores", async () => {
  const folder = makeFolder();
  const chance = createChance(Number(process.env.V1WATCH_SEED ?? 1));
  const seen = new Set<string>();
  for (let index = 0; index < runs(12); index++) {
    const file = join(folder, `${index}.db`);
    const log = drawLog(chance);
    await write(file, log);
    const on = (...args: string[]) => run([...args, "--store", file]);
    const status = JSON.parse((await on("status", "--json")).out) as { verdict: { kind: string } };
    const { kind } = status.verdict;
    seen.add(kind);
    const isUnknown = kind === "unknown";
    const code = kinds.indexOf(kind as (typeof kinds)[number]);

    const printed = await on("status");
    expect(printed.out.startsWith("V1 is up")).toBe(kind === "up");
    expect(printed.out.startsWith("Unknown: ")).toBe(isUnknown);
    if (kind !== "up") expect(printed.code).toBe(code);
    const incidents = await on("incidents");
    expect(incidents.code).toBe(code);
    expect(incidents.out.includes("No incident is firing")).toBe(kind === "up");
    expect((await on("ready")).code === 3).toBe(isUnknown);
    const report = JSON.parse((await on("report", "--format", "json", "--out", "-")).out) as Report;
    expect(report.v1?.severity === "unknown").toBe(isUnknown);
    expect(report.v1?.severity === "ok").toBe(kind === "up");
    expect(report.monitor.isHealthy).toBe(!isUnknown);

    const server = await readServer(file);
    expect(server.summary.verdict.kind).toBe(kind);
    expect(server.summary.verdict.exitCode).toBe(code);
    expect(server.summary.verdict.tone === "unknown").toBe(isUnknown);
    expect(server.health?.status).toBe(isUnknown ? 503 : 200);
    expect(server.live?.status).toBe(200);
    expect(server.icon?.text.includes(grey)).toBe(isUnknown);
    if (kind !== "up") expect(server.badge?.text.includes(green)).toBe(false);
    const up = /^v1watch_up (\d)$/m.exec(server.metrics?.text ?? "")?.[1];
    // A watch with an incident of its own may still see V1 served.
    if (kind === "fault") expect(up).toMatch(/^[01]$/);
    else expect(up).toBe(isUnknown ? undefined : "1");
  }
  expect([...seen].sort()).toEqual([...kinds].sort());
});
