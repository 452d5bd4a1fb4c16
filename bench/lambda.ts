// The prober's bundle, as it is deployed, beside an empty handler and beside the same code bundled as CDK's
// NodejsFunction does it by default. AWS's own runtime client runs all three; V1, DynamoDB and the others
// answer at once from one small server. The quietest of several cold starts counts.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { buildSync } from "esbuild";
import { loadConfig } from "../lib/config.ts";
import { startSimulator } from "../lib/simulator/server.ts";
import { bundleInto, type FunctionName } from "../lib/stack/bundle.ts";
import { probeSettings } from "../lib/stack/settings.ts";
import { startRuntime } from "../test/aws/lambda-runtime.ts";
import type { Row } from "./table.ts";

const file = fileURLToPath(import.meta.url);
const root = join(import.meta.dirname, "..");
const starts = 7;

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

/** As many as AWS's services: every question gets the shortest answer that is one. */
async function startServices() {
  const server = createServer(async (request, response) => {
    await text(request);
    const target = String(request.headers["x-amz-target"] ?? "");
    const body = target.endsWith("GetParameter")
      ? '{"Parameter":{"Value":"a-key-for-the-bench"}}'
      : '{"Items":[]}';
    response.writeHead(200, { "Content-Type": "application/x-amz-json-1.0" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
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
    apart: true,
  });
  if (!loaded.ok) throw new Error("the bench's configuration is wrong");
  const { config } = loaded;
  const environment = {
    AWS_ENDPOINT_URL: services.url,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "bench",
    AWS_SECRET_ACCESS_KEY: "bench",
    ENDPOINT: "passport",
    SETTINGS: probeSettings(config),
    TABLE: "bench",
    RETENTION_DAYS: "400",
    TICK_MS: "60000",
    BEAT_MS: "900000",
  };
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
    for (const name of ["probe", "assess", "report"] satisfies FunctionName[]) bundleInto(at(name), name);
    bundleByDefault(at("default"));
    mkdirSync(at("empty"));
    writeFileSync(join(at("empty"), "index.mjs"), "export const handler = async () => {};\n");
    for (const name of ["probe", "assess", "report"]) {
      add(`${name}, bundle`, bytesOf(at(name)) / 1_000, "KB", 400);
      add(`${name}, bundle as a zip`, packedBytesOf(at(name)) / 1_000, "KB");
    }
    add("probe, bundled by NodejsFunction's defaults", bytesOf(at("default")) / 1_000, "KB");

    const kinds = ["empty", "probe", "default"] as const;
    const colds: Record<(typeof kinds)[number], Cold[]> = { empty: [], probe: [], default: [] };
    // In turn, so that what else the machine does meets all three.
    for (let round = 0; round < starts; round++)
      for (const kind of kinds) colds[kind].push(await startCold(at(kind), environment));
    const least = (kind: (typeof kinds)[number], value: keyof Cold) =>
      Math.min(...colds[kind].map((cold) => cold[value]));
    for (const kind of kinds) {
      add(`${kind}, initialisation`, least(kind, "readyMs"), "ms");
      add(`${kind}, cold tick`, least(kind, "tickMs"), "ms");
    }
    add(
      "probe, initialisation to the empty handler's",
      least("probe", "readyMs") / least("empty", "readyMs"),
      "×",
      1.6,
    );
    add(
      "probe, cold tick to the empty handler's",
      least("probe", "tickMs") / least("empty", "tickMs"),
      "×",
      4,
    );
    add(
      "default, initialisation to the empty handler's",
      least("default", "readyMs") / least("empty", "readyMs"),
      "×",
    );
    add(
      "default, cold tick to the empty handler's",
      least("default", "tickMs") / least("empty", "tickMs"),
      "×",
    );
    add("probe, resident at most", Math.max(...colds.probe.map(({ peakMb }) => peakMb)), "MiB", 128);
    add("default, resident at most", Math.max(...colds.default.map(({ peakMb }) => peakMb)), "MiB");
  } finally {
    services.close();
    await v1.close();
    rmSync(folder, { recursive: true });
  }
  return rows;
}

if (process.argv[1] === file) console.table(await benchLambda());
