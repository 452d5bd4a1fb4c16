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

const installed = join(root, ".v1watch", "moto", "bin", "python");
/** The Python that has moto, and with it AWS's own library. */
export const python = existsSync(installed) ? installed : "python3";

export async function freePort(): Promise<number> {
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
  /**
   * From now on, or no more: signatures are verified and calls held to their caller's policies. From the first time
   * on `environment` is that of a user who may do everything.
   */
  enforceAccess(isEnforced: boolean): Promise<void>;
  log(): string;
  stop(): Promise<void>;
};

export async function startAws(): Promise<Aws> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const strict = join(import.meta.dirname, "strict-moto.py");
  const server = spawn(python, [strict, "-H", "127.0.0.1", "-p", String(port)]);
  const printed: string[] = [];
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (data) => printed.push(String(data)));
  const failed = Promise.race([once(server, "error"), once(server, "exit")]).then(() => {
    throw new Error(`moto does not start. Install it: pip install 'moto[server]'. ${printed.join("")}`);
  });
  const answers = async () => {
    while (!(await fetch(`${endpoint}/moto-api/data.json`).catch(() => undefined))?.ok) await sleep(200);
  };
  await Promise.race([answers(), failed]);
  failed.catch(() => {});
  const environment = {
    AWS_ENDPOINT_URL: endpoint,
    // The CDK passes CloudFormation the template's URL; moto knows only the real host name.
    AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: `https://s3.${region}.amazonaws.com`,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
  };
  async function cli(...args: string[]): Promise<unknown> {
    const { code, output } = await run(
      "aws",
      ["--endpoint-url", endpoint, "--output", "json", ...args],
      environment,
    );
    if (code !== 0) throw new Error(`aws ${args.join(" ")}: ${output}`);
    return output.trim() ? JSON.parse(output) : undefined;
  }
  async function becomeAdministrator(): Promise<void> {
    const statement = { Effect: "Allow", Action: "*", Resource: "*" };
    const everything = { Version: "2012-10-17", Statement: [statement] };
    const user = ["--user-name", "administrator"];
    const policy = ["--policy-name", "everything", "--policy-document", JSON.stringify(everything)];
    await cli("iam", "create-user", ...user);
    await cli("iam", "put-user-policy", ...user, ...policy);
    const { AccessKey } = (await cli("iam", "create-access-key", ...user)) as {
      AccessKey: { AccessKeyId: string; SecretAccessKey: string };
    };
    environment.AWS_ACCESS_KEY_ID = AccessKey.AccessKeyId;
    environment.AWS_SECRET_ACCESS_KEY = AccessKey.SecretAccessKey;
  }
  return {
    endpoint,
    environment,
    cli,
    async enforceAccess(isEnforced) {
      if (environment.AWS_ACCESS_KEY_ID === "test") await becomeAdministrator();
      // Of a form moto would keep nothing.
      const headers = { "content-type": "text/plain" };
      const body = isEnforced ? "0" : "inf";
      const answer = await fetch(`${endpoint}/moto-api/reset-auth`, { method: "POST", headers, body });
      if (!answer.ok) throw new Error(`moto does not change what it enforces: ${answer.status}`);
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
