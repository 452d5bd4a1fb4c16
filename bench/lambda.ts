// The functions' bundles, as they are deployed, beside an empty handler and beside the prober bundled as CDK's
// NodejsFunction does it by default. AWS's own runtime client runs them all; V1 and AWS's services answer at
// once from this machine. A tick is whole: what the prober writes, it delivers, and the others read. Medians of
// several cold starts: the quietest one would flatter whatever is short.
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

/** What NodejsFunction does when it is told nothing, but for the SDK: it stands in Lambda and not here. */
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
    // CommonJS has no import.meta, and nothing here needs it.
    define: { "import.meta.dirname": '""' },
  });
}

type Cold = { readyMs: number; tickMs: number; peakMb: number };

async function startCold(taskRoot: string, environment: Record<string, string>): Promise<Cold> {
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

/** As it is stored and fetched: Lambda takes a zip. */
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
  });
  if (!loaded.ok) throw new Error("the bench's configuration is wrong");
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
      add(`${name}, bundle as a zip`, packedBytesOf(at(name)) / 1_000, "KB");
    }
    add("probe, bundled by NodejsFunction's defaults", bytesOf(at("default")) / 1_000, "KB");

    // In turn, so that what else the machine does meets them all; the others find what the prober wrote.
    const kinds = ["empty", "default", ...functions] as const;
    const colds = new Map<string, Cold[]>(kinds.map((kind) => [kind, []]));
    for (let round = 0; round < starts; round++)
      for (const kind of kinds) {
        if (kind === "default" || kind === "probe") services.forget();
        const cold = await startCold(at(kind), { ...environment, SETTINGS: settingsOf(kind) });
        colds.get(kind)?.push(cold);
      }
    const all = (kind: string, value: keyof Cold) => (colds.get(kind) ?? []).map((cold) => cold[value]);
    const middle = (kind: string, value: keyof Cold) => median(all(kind, value));
    const share = (kind: string, value: keyof Cold) => middle(kind, value) / middle("empty", value);
    for (const kind of kinds) {
      const isOurs = kind !== "empty" && kind !== "default";
      add(`${kind}, initialisation`, middle(kind, "readyMs"), "ms");
      add(`${kind}, cold tick`, middle(kind, "tickMs"), "ms");
      if (kind === "empty") continue;
      add(
        `${kind}, initialisation to the empty handler's`,
        share(kind, "readyMs"),
        "×",
        isOurs ? 1.6 : undefined,
      );
      add(`${kind}, cold tick to the empty handler's`, share(kind, "tickMs"), "×", isOurs ? 4 : undefined);
      add(`${kind}, resident at most`, Math.max(...all(kind, "peakMb")), "MiB", isOurs ? 128 : undefined);
    }
  } finally {
    services.close();
    await v1.close();
    rmSync(folder, { recursive: true });
  }
  return rows;
}

if (process.argv[1] === file) console.table(await benchLambda());
