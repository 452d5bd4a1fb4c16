// Bodies up to the size limit in every framing: chunks from one byte up, plain and compressed, answered by a bare socket to
// the whole watch in a process of its own that has the memory of the prober's function.
import { execFile } from "node:child_process";
import { createServer, type Server } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { memoryMb } from "../../../lib/stack/rhythm.ts";
import { createChance } from "../../random.ts";
import { listPage, ordinaryView, World } from "../../stories/data.ts";
import type { JsonObject } from "../../stories/types.ts";

const file = fileURLToPath(new URL("framings-watch.ts", import.meta.url));

/** The default of the configuration. */
export const maxBodyBytes = 2_097_152;

type Encoding = "" | "gzip" | "deflate" | "deflate without a header" | "br";
type Content = "records" | "text" | "noise" | "zeros";

export type Framing = {
  chunkBytes: number;
  encoding: Encoding;
  content: Content;
  bodyBytes: number;
  status: number;
};

const chunkSizes = [1, 1, 2, 3, 7, 100, 4_096, 65_536, maxBodyBytes];
const encodings: readonly Encoding[] = ["", "", "gzip", "deflate", "deflate without a header", "br"];
const contents: readonly Content[] = ["records", "records", "text", "noise", "zeros"];

export function drawFramings(count: number, seed: number): Framing[] {
  const chance = createChance(seed);
  for (let skipped = 0; skipped < 20; skipped += 1) chance();
  const one = <T>(list: readonly T[]) => list[Math.floor(chance() * list.length)] as T;
  return Array.from({ length: count }, () => ({
    chunkBytes: one(chunkSizes),
    encoding: one(encodings),
    content: one(contents),
    bodyBytes: Math.floor(maxBodyBytes * one([chance(), 0.99, 1, 1.01])),
    status: one([200, 200, 200, 503]),
  }));
}

/** The one that ended the process: every byte of the largest body is a chunk. */
export const worstFraming: Framing = {
  chunkBytes: 1,
  encoding: "",
  content: "records",
  bodyBytes: maxBodyBytes,
  status: 200,
};

const startMs = Date.UTC(2026, 10, 1);
const world = new World({
  name: "framings",
  kind: "calm",
  description: "",
  start: new Date(startMs).toISOString(),
  days: 1,
  seed: 1,
  timeline: [],
  truth: { messages: [], maxPages: 0, maxMessages: 0 },
});

/** V1's list with as many records as fit, and spaces after it. */
function createRecords(bytes: number): Buffer {
  const page = listPage(world.records(ordinaryView(startMs), startMs), null, 1);
  const [record] = Array.isArray(page.passports) ? page.passports : [];
  const recordBytes = JSON.stringify(record).length + 8;
  const count = Math.max(1, Math.floor((bytes - 1_000) / recordBytes));
  page.passports = Array.from({ length: count }, (_, index) => ({
    ...(record as JsonObject),
    passport_id: 1_000_000 + index,
  }));
  return Buffer.from(JSON.stringify(page).padEnd(bytes));
}

function createBody({ content, bodyBytes }: Framing): Buffer {
  if (content === "records") return createRecords(bodyBytes);
  if (content === "text") return Buffer.from(`"${"é".repeat((bodyBytes - 2) >> 1)}"`);
  if (content === "zeros") return Buffer.alloc(bodyBytes);
  const chance = createChance(bodyBytes);
  const noise = Buffer.alloc(bodyBytes);
  for (let at = 0; at < bodyBytes; at += 1) noise[at] = Math.floor(chance() * 256);
  return noise;
}

const compress: Record<Encoding, (body: Buffer) => Buffer> = {
  "": (body) => body,
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  "deflate without a header": (body) => deflateRawSync(body),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
};

/** In HTTP's own chunks, with their sizes between them. */
function frame(body: Buffer, chunkBytes: number): Buffer {
  const parts: string[] = [];
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    parts.push(`${chunk.length.toString(16)}\r\n${chunk.toString("latin1")}\r\n`);
  }
  return Buffer.from(`${parts.join("")}0\r\n\r\n`, "latin1");
}

export function renderResponse(framing: Framing): Buffer {
  const { encoding, status, chunkBytes } = framing;
  const head = [
    `HTTP/1.1 ${status} -`,
    "Content-Type: application/json",
    ...(encoding === "" ? [] : [`Content-Encoding: ${encoding.split(" ")[0]}`]),
    "Transfer-Encoding: chunked",
    "Connection: close",
  ];
  const body = compress[encoding](createBody(framing));
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), frame(body, chunkBytes)]);
}

/** Answers the requests with the framings in their order, again and again. */
async function startFramingServer(framings: readonly Framing[]): Promise<{ server: Server; url: string }> {
  let answered = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      const framing = framings[answered % framings.length];
      answered += 1;
      if (framing) socket.end(renderResponse(framing));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { server, url: `http://127.0.0.1:${address.port}` };
}

/** What the watch prints at its end. */
export type Watched = { checks: number; outcomes: Record<string, number>; memoryMb: number };

/** The heap that leaves room for the rest of the process in the prober's function. */
const heapMb = 128;

/** The whole watch in a process of its own, until it has made so many checks. */
export async function watchFramings(
  framings: readonly Framing[],
): Promise<{ watched: Watched | undefined; faults: string[] }> {
  const { server, url } = await startFramingServer(framings);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      `--max-old-space-size=${heapMb}`,
      ...[file, url, String(framings.length)],
    ]);
    const watched = JSON.parse(stdout) as Watched;
    const faults = [
      ...(watched.memoryMb < memoryMb.probe ? [] : [`${watched.memoryMb} MB of memory`]),
      ...(watched.checks >= framings.length ? [] : [`only ${watched.checks} checks`]),
    ];
    return { watched, faults };
  } catch (error) {
    const { signal, code, stderr = "" } = error as { signal?: string; code?: number; stderr?: string };
    const reason = stderr.split("\n").find((line) => /FATAL|Error/.test(line)) ?? "";
    return { watched: undefined, faults: [`the process ended with ${signal ?? code}: ${reason}`] };
  } finally {
    server.close();
  }
}
