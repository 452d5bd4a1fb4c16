// The deployed bundles of the functions, compared with an empty handler and with the prober bundled by the
// defaults of CDK's NodejsFunction. All run in the AWS Lambda runtime client, with V1 and the AWS services
// simulated on this machine. A tick is complete: the prober stores and delivers its results, and the other
// functions read them. The values are medians of several cold starts.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { buildSync } from "esbuild";
import { loadConfig } from "../lib/config/config.ts";
import { startSimulator } from "../lib/simulator/server.ts";
import { bundleInto, type FunctionName } from "../lib/stack/bundle.ts";
import { assessSettings, probeSettings } from "../lib/stack/functions.ts";
import { startRuntime } from "../test/deployment/lambda-runtime.ts";
import { startServices } from "./lambda-services.ts";
import { median, type Row } from "./table.ts";

const file = fileURLToPath(import.meta.url);
const root = join(import.meta.dirname, "..");
const starts = 11;
const functions = ["probe", "assess", "report"] as const satisfies FunctionName[];

/**
 * Bundles as NodejsFunction does by default, but includes the SDK, which is part of the Lambda runtime and
 * not of this machine.
 */
function bundleByDefault(outdir: string): void {
  buildSync({
    entryPoints: { index: join(root, "functions", "probe.ts") },
    outdir,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node24",
    logLevel: "error",
    absWorkingDir: root,
    // CommonJS has no import.meta, and the bundled code does not need it.
    define: { "import.meta.dirname": '""' },
  });
}

type ColdStart = { readyMs: number; tickMs: number; peakMb: number };

async function measureColdStart(taskRoot: string, environment: Record<string, string>): Promise<ColdStart> {
  const runtime = await startRuntime({ taskRoot, environment });
  try {
    const readyMs = await runtime.readyMs;
    const { ok, ms, value } = await runtime.invoke({ tick: new Date().toISOString() });
    if (!ok) throw new Error(`${JSON.stringify(value)} ${runtime.log()}`);
    return { readyMs, tickMs: readyMs + ms, peakMb: runtime.peakMb() };
  } finally {
    await runtime.stop();
  }
}

const bytesOf = (folder: string) =>
  readdirSync(folder)
    .map((name) => statSync(join(folder, name)).size)
    .reduce((sum, size) => sum + size, 0);

/** The size after compression, because Lambda stores a zip file. */
const packedBytesOf = (folder: string) =>
  readdirSync(folder)
    .map((name) => deflateRawSync(readFileSync(join(folder, name))).length)
    .reduce((sum, size) => sum + size, 0);

export async function benchLambda(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const services = await startServices();
  const v1 = await startSimulator({ passports: 100 });
  const loaded = loadConfig({
    fileText: JSON.stringify({
      baseUrl: v1.url,
      key: { ssm: "/v1watch/key" },
      samples: { passports: [v1.population.idOf(0)] },
    }),
    env: {},
    flags: {},
    perEndpointFunctions: true,
  });
  if (!loaded.ok) throw new Error("the configuration of the benchmark is invalid");
  const { config } = loaded;
  const environment = {
    AWS_ENDPOINT_URL: services.url,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "bench",
    AWS_SECRET_ACCESS_KEY: "bench",
    ENDPOINT: "passport",
    TABLE: "bench",
    TOPIC: "arn:aws:sns:us-east-1:123456789012:bench",
    BUCKET: "bench",
    RETENTION_DAYS: "400",
    METRICS_EVERY_MS: "10800000",
    EVERY_DAYS: "7",
    NAMESPACE: "V1Watch",
  };
  const settingsOf = (kind: string) =>
    kind === "assess" || kind === "report" ? assessSettings(config) : probeSettings(config);
  const at = (name: string) => join(folder, name);
  const rows: Row[] = [];
  const add = (name: string, value: number, unit: string, limit?: number) =>
    rows.push({
      name: `lambda: ${name}`,
      value: Math.round(value * 100) / 100,
      unit,
      goal: limit === undefined ? "" : `≤ ${limit}`,
      ok: limit === undefined || value <= limit,
    });
  try {
    for (const name of functions) bundleInto(at(name), name);
    bundleByDefault(at("default"));
    mkdirSync(at("empty"));
    writeFileSync(join(at("empty"), "index.mjs"), "export const handler = async () => {};\n");
    for (const name of functions) {
      add(`${name}, bundle`, bytesOf(at(name)) / 1_000, "KB", 400);
      add(`${name}, compressed bundle`, packedBytesOf(at(name)) / 1_000, "KB");
    }
    add("probe, bundle with the defaults of NodejsFunction", bytesOf(at("default")) / 1_000, "KB");

    // In turn, so that the load of the machine affects all of them. The other functions read what the prober
    // stored.
    const kinds = ["empty", "default", ...functions] as const;
    const colds = new Map<string, ColdStart[]>(kinds.map((kind) => [kind, []]));
    for (let round = 0; round < starts; round++)
      for (const kind of kinds) {
        if (kind === "default" || kind === "probe") services.clear();
        const cold = await measureColdStart(at(kind), { ...environment, SETTINGS: settingsOf(kind) });
        colds.get(kind)?.push(cold);
      }
    const all = (kind: string, value: keyof ColdStart) => (colds.get(kind) ?? []).map((cold) => cold[value]);
    const middle = (kind: string, value: keyof ColdStart) => median(all(kind, value));
    const share = (kind: string, value: keyof ColdStart) => middle(kind, value) / middle("empty", value);
    for (const kind of kinds) {
      const isOurs = kind !== "empty" && kind !== "default";
      add(`${kind}, initialisation`, middle(kind, "readyMs"), "ms");
      add(`${kind}, cold tick`, middle(kind, "tickMs"), "ms");
      if (kind === "empty") continue;
      add(
        `${kind}, initialisation, ratio to the empty handler`,
        share(kind, "readyMs"),
        "×",
        isOurs ? 1.6 : undefined,
      );
      add(
        `${kind}, cold tick, ratio to the empty handler`,
        share(kind, "tickMs"),
        "×",
        isOurs ? 4 : undefined,
      );
      add(`${kind}, peak memory`, Math.max(...all(kind, "peakMb")), "MiB", isOurs ? 128 : undefined);
    }
  } finally {
    services.close();
    await v1.close();
    rmSync(folder, { recursive: true });
  }
  return rows;
}

if (process.argv[1] === file) console.table(await benchLambda());
