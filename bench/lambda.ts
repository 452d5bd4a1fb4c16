// The deployed bundles in AWS's own runtime client, with V1 and the AWS services simulated on this machine: a run
// from a cold start, which stores and delivers its results, and its memory. Medians of several cold starts.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../lib/config/config.ts";
import { startSimulator } from "../lib/simulator/server.ts";
import { bundleInto } from "../lib/stack/bundle.ts";
import { assessSettings, probeSettings } from "../lib/stack/function-settings.ts";
import { memoryMb } from "../lib/stack/rhythm.ts";
import { runtimeClient, startRuntime } from "../test/deployment/lambda-runtime.ts";
import { startServices } from "./lambda-services.ts";
import { median, type Row, row, Skipped } from "./table.ts";

const starts = 5;
const functions = ["probe", "assess", "report"] as const;

type ColdStart = { ms: number; peakMb: number };

async function measureColdStart(taskRoot: string, environment: Record<string, string>): Promise<ColdStart> {
  const runtime = await startRuntime({ taskRoot, environment });
  try {
    const readyMs = await runtime.readyMs;
    const { ok, ms, value } = await runtime.invoke({ tick: new Date().toISOString() });
    if (!ok) throw new Error(`${JSON.stringify(value)} ${runtime.log()}`);
    return { ms: readyMs + ms, peakMb: runtime.peakMb() };
  } finally {
    await runtime.stop();
  }
}

export async function benchLambda(): Promise<Row[]> {
  if (!existsSync(runtimeClient))
    throw new Skipped("aws-lambda-ric is not installed. `npm ci --prefix test/deployment` installs it.");
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const services = await startServices();
  const v1 = await startSimulator({ passports: 100 });
  try {
    const loaded = loadConfig({
      fileText: JSON.stringify({ baseUrl: v1.url, key: { ssm: "/v1watch/key" } }),
      env: {},
      flags: {},
    });
    if (!loaded.ok) throw new Error("the configuration of the benchmark is invalid");
    const { config } = loaded;
    const environment = {
      AWS_ENDPOINT_URL: services.url,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "bench",
      AWS_SECRET_ACCESS_KEY: "bench",
      ENDPOINT: "passport-list",
      TABLE: "bench",
      TOPIC: "arn:aws:sns:us-east-1:123456789012:bench",
      SUBSCRIPTIONS: "1",
      BUCKET: "bench",
      RETENTION_DAYS: "400",
      EVERY_DAYS: "7",
      NAMESPACE: "V1Watch",
    };
    const rows: Row[] = [];
    const colds: Record<string, ColdStart[]> = {};
    for (const name of functions) bundleInto(join(folder, name), name);
    // In turn: the other functions read what the prober stored.
    for (let round = 0; round < starts; round++) {
      services.clear();
      for (const name of functions) {
        const settings = name === "probe" ? probeSettings(config) : assessSettings(config);
        const cold = await measureColdStart(join(folder, name), { ...environment, SETTINGS: settings });
        colds[name] = [...(colds[name] ?? []), cold];
      }
    }
    for (const name of functions) {
      const ofFunction = colds[name] ?? [];
      rows.push(row(`${name}, a run from a cold start`, median(ofFunction.map(({ ms }) => ms)), "ms", 2_000));
      const peakMb = Math.max(...ofFunction.map((cold) => cold.peakMb));
      rows.push(row(`${name}, peak memory of ${memoryMb[name]} MB`, peakMb, "MB", memoryMb[name]));
    }
    return rows;
  } finally {
    services.close();
    await v1.close();
    rmSync(folder, { recursive: true });
  }
}
