// The memory of `v1watch parity --in-aws` for cohorts of any size, the uploads of their chunks included. A server on this
// machine answers for AWS, counts the objects and the ids in them, and reports the run as paused, so that the command
// ends. V1WATCH_BENCH_COHORT sets the size of the largest cohort.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createStarter } from "../lib/mapping/starter.ts";
import { type Row, row } from "./table.ts";

const largest = Number(process.env.V1WATCH_BENCH_COHORT ?? 1_000_000);
/** Without them V8 lets the heap grow while there is memory. */
const limits = ["--max-old-space-size=48", "--max-semi-space-size=4"];
const command = new URL("../bin/v1watch.ts", import.meta.url).pathname;
const parts = { table: "table", bucket: "bucket", stateMachine: "arn:aws:states:us-east-1:1:stateMachine:m" };

type Uploads = { objects: number; ids: number };

async function startServer() {
  const uploads: Uploads = { objects: 0, ids: 0 };
  let item: Record<string, object> | undefined;
  const respond = (operation: string, body: string): object => {
    if (operation === "GetParameter") return { Parameter: { Value: JSON.stringify(parts) } };
    if (operation === "PutItem") item = JSON.parse(body).Item;
    if (operation === "GetItem") return item ? { Item: { ...item, runState: { S: "paused" } } } : {};
    return operation === "StartExecution" ? { executionArn: "arn", startDate: 0 } : {};
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const operation =
      String(request.headers["x-amz-target"] ?? "")
        .split(".")
        .at(-1) ?? "";
    if (request.method === "PUT") {
      uploads.objects++;
      uploads.ids += (JSON.parse(body) as string[]).length;
      response.end();
    } else if (request.method === "GET") {
      response.setHeader("Content-Type", "application/xml");
      response.end("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
    } else {
      response.setHeader("Content-Type", "application/x-amz-json-1.0");
      response.end(JSON.stringify(respond(operation, body)));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, uploads, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function* lines(ids: number): Generator<string> {
  for (let from = 1; from <= ids; from += 1_000)
    yield `${Array.from({ length: Math.min(1_000, ids - from + 1) }, (_, index) => from + index).join("\n")}\n`;
}

async function measure(ids: number, folder: string) {
  const { server, uploads, url } = await startServer();
  const cohort = join(folder, `${ids}.txt`);
  await pipeline(Readable.from(lines(ids)), createWriteStream(cohort));
  const startedMs = performance.now();
  const args = ["parity", "--cohort", cohort, "--in-aws", "--census", "--rate", "1000"];
  const child = spawn(process.execPath, [...limits, command, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL: url,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      V1WATCH_BASE_URL: "https://v1.example.com",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let peakMb = 0;
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_000);
  }, 100);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  server.close();
  server.closeAllConnections();
  if (code !== 0) throw new Error(`the command ended with ${code}`);
  if (uploads.ids !== ids) throw new Error(`${uploads.ids} of ${ids} ids were uploaded`);
  return { peakMb, seconds: (performance.now() - startedMs) / 1_000, objects: uploads.objects };
}

export async function benchUploads(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "v1watch-uploads-"));
  await writeFile(join(folder, "v1watch.mapping.json"), JSON.stringify(createStarter(Date.now())));
  try {
    const rows: Row[] = [];
    for (const ids of [10_000, largest]) {
      const { peakMb, seconds, objects } = await measure(ids, folder);
      const name = `${ids.toLocaleString("en")} ids in ${objects.toLocaleString("en")} objects`;
      rows.push(row(`memory of ${name}`, peakMb, "MB", 200), row(`time of ${name}`, seconds, "s", 600));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
