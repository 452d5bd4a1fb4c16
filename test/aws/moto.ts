// A server that plays AWS and that nobody here wrote, and the clients that talk to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const root = join(import.meta.dirname, "..", "..");
export const account = "123456789012";
export const region = "us-east-1";

const installed = join(root, ".v1watch", "moto", "bin", "moto_server");

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

export type Aws = {
  endpoint: string;
  /** For our functions, the CDK's command line and the SDK alike. */
  environment: Record<string, string>;
  /** AWS's own command line; what it printed, as JSON where it is. */
  cli(...args: string[]): Promise<unknown>;
  log(): string;
  stop(): Promise<void>;
};

export async function startAws(): Promise<Aws> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const command = existsSync(installed) ? installed : "moto_server";
  const server = spawn(command, ["-H", "127.0.0.1", "-p", String(port)]);
  const printed: string[] = [];
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (data) => printed.push(String(data)));
  const failed = once(server, "error").then(([error]) => {
    throw new Error(`moto_server does not start: ${error}. Install it: pip install 'moto[server]'`);
  });
  const answers = async () => {
    while (!(await fetch(`${endpoint}/moto-api/data.json`).catch(() => undefined))?.ok) await sleep(200);
  };
  await Promise.race([answers(), failed]);
  failed.catch(() => {});
  const environment = {
    AWS_ENDPOINT_URL: endpoint,
    // The CDK's command line tells CloudFormation where the template is; moto knows the real name only.
    AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: `https://s3.${region}.amazonaws.com`,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
  };
  return {
    endpoint,
    environment,
    async cli(...args) {
      const { code, output } = await run(
        "aws",
        ["--endpoint-url", endpoint, "--output", "json", ...args],
        environment,
      );
      if (code !== 0) throw new Error(`aws ${args.join(" ")}: ${output}`);
      return output.trim() ? JSON.parse(output) : undefined;
    },
    log: () => printed.join(""),
    async stop() {
      server.kill();
      await once(server, "exit");
    },
  };
}

export async function run(command: string, args: string[], environment: Record<string, string> = {}) {
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...environment } });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => parts.push(String(data)));
  const [code] = await once(child, "close");
  return { code: code as number, output: parts.join("") };
}
