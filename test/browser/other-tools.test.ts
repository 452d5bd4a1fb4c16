// What other tools read: /metrics, the alert rules and the dashboard of deploy/ in Prometheus's own programs, and the
// OpenAPI document in a validator of another language than the one of the fast tests.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import type { Summary } from "../../lib/local/server/api-schemas.ts";
import { makeTemporaryFolder, type RunningMonitor, startRunningMonitor } from "./running-monitor.ts";

const root = new URL("../..", import.meta.url).pathname;
const rulesFile = join(root, "deploy/prometheus-rules.yml");
const storage = makeTemporaryFolder();
let monitor: RunningMonitor;

beforeAll(async () => {
  monitor = await startRunningMonitor("healthy", storage);
  const fetchSummary = async () => (await (await fetch(`${monitor.url}/api/summary`)).json()) as Summary;
  const waiting = { interval: 500, timeout: 300_000 };
  await vi.waitFor(async () => expect((await fetchSummary()).observations).toBeGreaterThan(6), waiting);
  await fetch(`${monitor.url}/api/simulation/inject`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${monitor.token}` },
    body: JSON.stringify({ kind: "status", endpoint: "passport" }),
  });
  await vi.waitFor(async () => expect((await fetchSummary()).firing[0]?.severity).toBe("page"), waiting);
});

afterAll(async () => {
  await monitor.stop();
  storage.remove();
});

const promtool = (args: string[], input = "") => execFileSync("promtool", args, { input, encoding: "utf8" });

const installed = join(root, ".v1watch/other-tools/bin/python");
const python = existsSync(installed) ? installed : "python3";
const runPython = (program: string, input: string) =>
  execFileSync(python, ["-c", program], { input, encoding: "utf8", stdio: "pipe" });

type Panel = { title: string; targets: { expr: string }[] };
const dashboard = JSON.parse(readFileSync(join(root, "deploy/grafana-dashboard.json"), "utf8")) as {
  panels: Panel[];
};
const queries = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => [title, expr] as const),
);

test("Promtool finds no fault in the text format of /metrics", async () => {
  const text = await (await fetch(`${monitor.url}/metrics`)).text();
  expect(text).toMatch(/^v1watch_incident_open\{.*severity="page".*\} 1$/m);
  expect(promtool(["check", "metrics"], text)).toBe("");
  expect(() => promtool(["check", "metrics"], "v1watch_without_help 1\n")).toThrow();
});

test("Promtool accepts the alert rules", () => {
  const { groups } = parse(readFileSync(rulesFile, "utf8")) as { groups: { rules: unknown[] }[] };
  const count = groups.flatMap(({ rules }) => rules).length;
  expect(promtool(["check", "rules", rulesFile])).toContain(`SUCCESS: ${count} rules found`);
});

test("Promtool accepts every query of the dashboard", () => {
  const file = join(storage.folder, "queries.yml");
  const rules = queries.map(([, expr], index) => ({ record: `query:${index}`, expr }));
  writeFileSync(file, stringify({ groups: [{ name: "dashboard", rules }] }));
  expect(queries.length).toBeGreaterThanOrEqual(dashboard.panels.length);
  expect(promtool(["check", "rules", file])).toContain(`SUCCESS: ${queries.length} rules found`);
});

test("Promtool's rule tests: each alert fires for its own reason and not while the watch is well", () => {
  const series = (name: string, values: string) => ({ series: name, values });
  const well = [
    series('up{job="v1watch"}', "1x180"),
    series("v1watch_up", "1x180"),
    series("v1watch_last_tick_timestamp_seconds", "0+60x180"),
    series("v1watch_undelivered_alerts", "0x180"),
    series("v1watch_store_degraded", "0x180"),
  ];
  const faults: Record<string, ReturnType<typeof series>> = {
    V1WatchPage: series('v1watch_incident_open{rule="down",incident="i",severity="page"}', "1x180"),
    V1WatchWarning: series('v1watch_incident_open{rule="slow",incident="i",severity="warning"}', "1x180"),
    V1WatchSilent: series("v1watch_last_tick_timestamp_seconds", "0x180"),
    V1WatchUnknown: series("v1watch_up", "_x180"),
    V1WatchDown: series('up{job="v1watch"}', "0x180"),
    V1WatchAlertsUndelivered: series("v1watch_undelivered_alerts", "1x180"),
    V1WatchStoreDegraded: series("v1watch_store_degraded", "1x180"),
  };
  const { groups } = parse(readFileSync(rulesFile, "utf8")) as { groups: { rules: { alert: string }[] }[] };
  const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect(Object.keys(faults).sort()).toEqual(names.toSorted());
  const nameOf = ({ series: name }: { series: string }) => name;
  const tests = [undefined, ...names].map((fault) => {
    const changed = fault === undefined ? undefined : faults[fault]!;
    const others = well.filter((one) => !changed || nameOf(one) !== nameOf(changed));
    const count = (name: string) => `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`;
    return {
      interval: "1m",
      input_series: changed ? [...others, changed] : others,
      promql_expr_test: names.map((name) => ({
        expr: count(name),
        eval_time: "170m",
        exp_samples: [{ labels: "{}", value: name === fault ? 1 : 0 }],
      })),
    };
  });
  const file = join(storage.folder, "rules-test.yml");
  writeFileSync(file, stringify({ rule_files: [rulesFile], evaluation_interval: "1m", tests }));
  expect(promtool(["test", "rules", file])).toContain("SUCCESS");
});

/** A Prometheus that scrapes the monitor every second. */
async function startPrometheus() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  const file = join(storage.folder, "prometheus.yml");
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [rulesFile],
    scrape_configs: [{ job_name: "v1watch", static_configs: [{ targets: [new URL(monitor.url).host] }] }],
  };
  writeFileSync(file, stringify(config));
  const server = spawn(
    "prometheus",
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(storage.folder, "tsdb")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    return (await response.json()) as { status: string; data: Record<string, unknown[]> };
  };
  const stop = async () => {
    server.kill();
    await once(server, "exit");
  };
  return { read, stop };
}

test("A Prometheus server scrapes the monitor, fires its alert and has data for every query of the dashboard", async () => {
  const { read, stop } = await startPrometheus();
  try {
    const waiting = { interval: 500, timeout: 300_000 };
    await vi.waitFor(async () => {
      const { data } = await read("alerts");
      const firing = data.alerts as { state: string; labels: { alertname: string; rule?: string } }[];
      expect(firing.filter(({ state }) => state === "firing").map(({ labels }) => labels)).toContainEqual(
        expect.objectContaining({ alertname: "V1WatchPage", rule: "down" }),
      );
    }, waiting);
    for (const [title, expr] of queries)
      await vi.waitFor(async () => {
        const { status, data } = await read(`query?query=${encodeURIComponent(expr)}`);
        expect([title, status, (data?.result?.length ?? 0) > 0]).toEqual([title, "success", true]);
      }, waiting);
  } finally {
    await stop();
  }
});

test("openapi-spec-validator finds no fault in the OpenAPI document", async () => {
  const program = `
import json, sys
from openapi_spec_validator import OpenAPIV31SpecValidator
print(*[error.message for error in OpenAPIV31SpecValidator(json.load(sys.stdin)).iter_errors()], sep="\\n")
`;
  const text = await (await fetch(`${monitor.url}/api/openapi.json`)).text();
  expect(runPython(program, text).trim()).toBe("");
  // A reference that leads nowhere is found.
  const broken = text.replace(
    '"$ref":"#/components/schemas/Summary"',
    '"$ref":"#/components/schemas/Nothing"',
  );
  expect(broken).not.toBe(text);
  expect(() => {
    if (runPython(program, broken).trim() !== "") throw new Error("found");
  }).toThrow();
});
