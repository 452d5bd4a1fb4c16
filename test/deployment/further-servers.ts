// Two more servers that play AWS and that nobody here wrote, for what moto does not do.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Aws, account, freePort, region, root, run } from "./moto.ts";

export type Server = Pick<Aws, "endpoint" | "cli" | "log" | "stop"> & {
  /** Its own; gone when it stops. */
  folder: string;
};

/** What LocalStack's CloudFormation makes only with Docker or Java, or not at all; moto makes them. */
export const beyondLocalStack = [
  "AWS::CDK::Metadata",
  "AWS::CloudWatch::Dashboard",
  "AWS::DynamoDB::Table",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Lambda::Function",
  // Made by nobody here; it is a text.
  "AWS::Logs::QueryDefinition",
];

const bin = (name: string, command: string) => join(root, ".v1watch", name, "bin", command);

/** Its CloudFormation makes all that watches and speaks, and it evaluates alarms on one metric. */
export const startLocalStack = () =>
  start("localstack", "/_localstack/health", ["-m", "localstack.runtime.main"], (port, folder) => ({
    GATEWAY_LISTEN: `127.0.0.1:${port}`,
    LOCALSTACK_HOST: `127.0.0.1:${port}`,
    // The other one listens on every interface.
    GATEWAY_SERVER: "hypercorn",
    FILESYSTEM_ROOT: folder,
    // Where a container builds the project, it would take the machine for its own.
    OVERRIDE_IN_DOCKER: "0",
    // A type that it does not know is an error, not a success with a warning.
    CFN_IGNORE_UNSUPPORTED_RESOURCE_TYPES: "0",
    // Nothing leaves this machine.
    DISABLE_EVENTS: "1",
    SKIP_SSL_CERT_DOWNLOAD: "1",
    DNS_ADDRESS: "0",
  }));

/** It evaluates the rules of composite alarms, brackets, AND and NOT included. */
export const startMiniStack = () =>
  start("ministack", "/_ministack/health", ["-m", "ministack"], (port) => ({
    GATEWAY_PORT: String(port),
    BIND_HOST: "127.0.0.1",
    MINISTACK_ACCOUNT_ID: account,
  }));

async function start(
  name: string,
  healthPath: string,
  args: string[],
  settings: (port: number, folder: string) => Record<string, string>,
): Promise<Server> {
  const python = bin(name, "python");
  if (!existsSync(python)) throw new Error(`${name} is not installed: see .ci/run, which installs it`);
  const folder = await mkdtemp(join(tmpdir(), `v1watch-${name}-`));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const environment = { ...process.env, TMPDIR: folder, ...settings(port, folder) };
  const server = spawn(python, args, { cwd: folder, env: environment });
  const printed: string[] = [];
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (data) => printed.push(String(data)));
  const exited = once(server, "exit");
  let isRunning = true;
  void exited.then(() => {
    isRunning = false;
  });
  while (!(await fetch(`${endpoint}${healthPath}`).catch(() => undefined))?.ok) {
    if (!isRunning) throw new Error(`${name} does not start: ${printed.join("").slice(-2_000)}`);
    await sleep(200);
  }
  // LocalStack takes the key's id for the account.
  const client = { AWS_ACCESS_KEY_ID: account, AWS_SECRET_ACCESS_KEY: "test", AWS_DEFAULT_REGION: region };
  return {
    endpoint,
    folder,
    async cli(...given) {
      // Of LocalStack's age: today's command line speaks to CloudWatch in a protocol that it does not know.
      const command = bin("localstack", "aws");
      const { code, output } = await run(
        command,
        ["--endpoint-url", endpoint, "--output", "json", ...given],
        client,
      );
      if (code !== 0) throw new Error(`aws ${given.join(" ").slice(0, 500)}: ${output.slice(-2_000)}`);
      return output.trim() ? JSON.parse(output) : undefined;
    },
    log: () => printed.join(""),
    async stop() {
      // There is nothing to keep, and a polite end takes LocalStack 20 s.
      server.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
