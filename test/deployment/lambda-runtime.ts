// Lambda's Runtime API, as small as it can be, and AWS's own runtime client that runs a bundle against it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";

/** Where AWS's runtime client is, if it is installed. */
const runtimeClient = join(import.meta.dirname, "node_modules", "aws-lambda-ric", "index.mjs");

export type Answer = { ok: boolean; value: unknown; ms: number };
export type Runtime = {
  invoke(event: unknown): Promise<Answer>;
  /** From the start of the process to its first question for work: load and initialisation. */
  readyMs: Promise<number>;
  log(): string;
  stop(): Promise<void>;
};

export type RuntimeOptions = {
  taskRoot: string;
  environment: Record<string, string>;
  timeoutSeconds?: number;
  memoryMb?: number;
  /** Where the milliseconds are kept by which the bundle's clock is ahead. */
  clockFile?: string;
};

type Work = { event: unknown; done(answer: Answer): void };

export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { taskRoot, environment, timeoutSeconds = 180, memoryMb = 256, clockFile } = options;
  const aheadMs = () => (clockFile ? Number(readFileSync(clockFile, "utf8")) : 0);
  const waiting: Work[] = [];
  const asking: ServerResponse[] = [];
  const underWay = new Map<string, { work: Work; startedMs: number }>();
  const ready = Promise.withResolvers<number>();
  let number = 0;

  function hand(): void {
    const [response, work] = [asking[0], waiting[0]];
    if (!response || !work) return;
    asking.shift();
    waiting.shift();
    const id = `00000000-0000-0000-0000-${String(++number).padStart(12, "0")}`;
    underWay.set(id, { work, startedMs: performance.now() });
    response.writeHead(200, {
      "Content-Type": "application/json",
      "Lambda-Runtime-Aws-Request-Id": id,
      "Lambda-Runtime-Deadline-Ms": String(Date.now() + aheadMs() + timeoutSeconds * 1_000),
      "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:us-east-1:123456789012:function:test",
    });
    response.end(JSON.stringify(work.event));
  }

  // An idle connection stays: what closes it may lose the answer that is being sent on it.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const [, , , what, id = "", kind] = String(request.url).split("/");
    if (what === "invocation" && id === "next") {
      ready.resolve(performance.now() - startedMs);
      // Who asks for work has ended the last one.
      for (const { work } of underWay.values()) work.done({ ok: false, value: "no answer arrived", ms: 0 });
      underWay.clear();
      asking.push(response);
      hand();
      return;
    }
    const value = await json(request).catch(() => undefined);
    const found = underWay.get(id);
    underWay.delete(id);
    if (what === "init") ready.reject(new Error(JSON.stringify(value)));
    found?.work.done({ ok: kind === "response", value, ms: performance.now() - found.startedMs });
    response.writeHead(202, { "Content-Type": "application/json" }).end('{"status":"OK"}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const startedMs = performance.now();
  const child: ChildProcess = spawn(process.execPath, [runtimeClient], {
    cwd: taskRoot,
    env: {
      PATH: process.env.PATH ?? "",
      _HANDLER: "index.handler",
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      AWS_LAMBDA_FUNCTION_NAME: "test",
      AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_LOG_GROUP_NAME: "test",
      AWS_LAMBDA_LOG_STREAM_NAME: "test",
      AWS_LAMBDA_LOG_FORMAT: "JSON",
      AWS_LAMBDA_LOG_LEVEL: "INFO",
      LAMBDA_TASK_ROOT: taskRoot,
      ...(clockFile && {
        CLOCK_FILE: clockFile,
        NODE_OPTIONS: `--import ${join(import.meta.dirname, "shifted-clock.ts")}`,
      }),
      ...environment,
    },
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => printed.push(String(data)));
  const log = () => printed.join("");
  const exited = once(child, "exit");
  void exited.then(() => {
    const reason = new Error(`the runtime stopped: ${log().slice(-2_000)}`);
    ready.reject(reason);
    for (const { work } of underWay.values()) work.done({ ok: false, value: String(reason), ms: 0 });
  });
  ready.promise.catch(() => {});

  return {
    readyMs: ready.promise,
    invoke: (event) =>
      new Promise((done) => {
        waiting.push({ event, done });
        hand();
      }),
    log,
    async stop() {
      child.kill("SIGKILL");
      await exited;
      server.closeAllConnections();
      server.close();
    },
  };
}
