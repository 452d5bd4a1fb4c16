// API keys in SSM and Secrets Manager, read by the commands that send requests to V1.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { warnOfOpenFiles } from "../../lib/commands/secrets.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { bareEnvironment } from "../aws/bare-environment.ts";
import { startKeySource } from "../aws/key-server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";
import { type CommandOutput, run } from "./terminal.ts";

const apiKey = "sentinel-key-0123456789-3f2a";
const folder = makeFolder();
const at = (name: string) => join(folder, name);
const v1 = await startSimulator({ passports: 40, key: apiKey });
afterAll(() => v1.close());
const source = await startKeySource();
const { endpoint, region, credentials } = source.settings;
const parameter = { Parameter: { Value: apiKey } };
const target = ["--base-url", v1.url, "--allow-loopback"];

const withoutCredentials = bareEnvironment(folder, endpoint);
const withCredentials = {
  ...withoutCredentials,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

function configure(key: object, rest: object = {}): string {
  const file = at("v1watch.config.json");
  writeFileSync(file, JSON.stringify({ baseUrl: v1.url, store: at("watch.db"), key, ...rest }));
  return file;
}

async function start(args: string[], env: Record<string, string | undefined>): Promise<CommandOutput> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const printed = await run(args, { env });
  expect(printed.out + printed.err).not.toContain(apiKey);
  return printed;
}
const probe = (key: object, env: Record<string, string | undefined>, rest: object = {}) =>
  start(["probe", "--config", configure(key, rest), ...target], env);

beforeEach(() => {
  source.asked.length = 0;
});
afterEach(() => void vi.unstubAllEnvs());

describe("a key in AWS", () => {
  test("A key in AWS is read by probe from SSM", async () => {
    source.answer(200, parameter);
    const { code, out, err } = await probe({ ssm: "/v1watch/key" }, withCredentials);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("key …3f2a");
    expect(source.asked).toEqual([
      { target: "AmazonSSM.GetParameter", body: { Name: "/v1watch/key", WithDecryption: true } },
    ]);
  });

  test("A key in AWS is read by probe from Secrets Manager with the credentials of a profile, in the configured region", async () => {
    const { accessKeyId, secretAccessKey } = credentials;
    const lines = ["[work]", `aws_access_key_id=${accessKeyId}`, `aws_secret_access_key=${secretAccessKey}`];
    writeFileSync(at("credentials"), lines.join("\n"));
    source.answer(200, { SecretString: JSON.stringify({ key: apiKey }) });
    const env = {
      ...withoutCredentials,
      AWS_PROFILE: "work",
      AWS_SHARED_CREDENTIALS_FILE: at("credentials"),
    };
    const { code, err } = await probe({ secret: "v1watch/key" }, env, { aws: { region: "eu-west-1" } });
    expect([code, err]).toEqual([0, ""]);
    expect(source.asked).toEqual([
      { target: "secretsmanager.GetSecretValue", body: { SecretId: "v1watch/key" } },
    ]);
  });

  test("A key in AWS is read by up only once for the first output and the cycle", async () => {
    source.answer(200, parameter);
    const config = configure({ ssm: "/v1watch/key" });
    const { out, err } = await start(
      ["up", "--once", "--port", "0", "--config", config, ...target],
      withCredentials,
    );
    expect(err).toBe("");
    expect(out).toContain("key …3f2a");
    expect(out).not.toMatch(/\b401\b|not requested/);
    expect(source.asked).toHaveLength(1);
  });

  test("A key in AWS is read by parity for V2 as well", async () => {
    const mapping = decidedMapping(v1.url);
    writeFileSync(
      at("map.json"),
      JSON.stringify({ ...mapping, v2: { ...mapping.v2, key: { ssm: "/v2/key" } } }),
    );
    source.answer(400, { __type: "ParameterNotFound" });
    const config = configure("none" as unknown as object);
    const args = ["parity", "--mapping", at("map.json"), "--config", config, ...target];
    const { code, err } = await start(args, withCredentials);
    expect(err).toMatch(
      /^v1watch: for V2, the SSM parameter \/v2\/key does not exist in this account and region\./,
    );
    expect(code).toBe(2);
  });
});

describe("probe prints cause and remedy if the key cannot be read:", () => {
  const ssm = { ssm: "/v1watch/key" };
  const denied = { __type: "AccessDeniedException", Message: apiKey };
  test.each([
    [
      "no credentials",
      ssm,
      { ...withCredentials, AWS_ACCESS_KEY_ID: undefined },
      parameter,
      /no AWS credentials.*aws sso login/,
    ],
    [
      "no region",
      ssm,
      { ...withCredentials, AWS_REGION: undefined },
      parameter,
      /no region is set\. Set aws\.region/,
    ],
    [
      "wrong credentials",
      ssm,
      withCredentials,
      { __type: "InvalidSignatureException" },
      /rejected the credentials/,
    ],
    ["access denied", ssm, withCredentials, denied, /AWS denied access\. Request ssm:GetParameter/],
    ["access denied", { secret: "a" }, withCredentials, denied, /Request secretsmanager:GetSecretValue/],
    [
      "no parameter",
      ssm,
      withCredentials,
      { __type: "ParameterNotFound" },
      /aws ssm put-parameter .* --name \/v1watch\/key/,
    ],
    [
      "no secret",
      { secret: "a" },
      withCredentials,
      { __type: "ResourceNotFoundException" },
      /create-secret --name a/,
    ],
    [
      "a value that is not a key",
      ssm,
      withCredentials,
      { Parameter: { Value: `${apiKey}\n${apiKey}` } },
      /does not contain a valid key/,
    ],
    [
      "truncated JSON",
      { secret: "a" },
      withCredentials,
      { SecretString: `{"key":"${apiKey}` },
      /exactly one field/,
    ],
    [
      "no server at the endpoint",
      ssm,
      { ...withCredentials, AWS_ENDPOINT_URL: "http://127.0.0.1:1" },
      parameter,
      /: ECONNREFUSED\. Check the network/,
    ],
  ])(
    "v1watch probe prints cause and remedy if the key cannot be read: %s (%j)",
    async (_name, key, env, response, message) => {
      source.answer("__type" in response ? 400 : 200, response);
      const { code, out, err } = await probe(key, env);
      expect(err).toMatch(message);
      expect(err).toMatch(/^v1watch: [^\n]+\n$/);
      expect(out).toContain("key not found");
      expect(out).not.toMatch(/\b401\b/);
      expect(code).toBe(2);
    },
  );
});

test("A file of a secret that other users can read is a warning with its remedy, and nothing of the secret", async () => {
  const folder = makeFolder();
  const [open, closed] = [join(folder, "open.key"), join(folder, "closed.key")];
  writeFileSync(open, "hunter2", { mode: 0o644 });
  writeFileSync(closed, "hunter2", { mode: 0o600 });
  const printed: string[] = [];
  const io = { err: (text: string) => void printed.push(text) };
  await warnOfOpenFiles(
    [{ file: closed }, { env: "KEY" }, undefined, "none", { file: join(folder, "absent") }],
    io,
  );
  expect(printed).toEqual([]);
  await warnOfOpenFiles([{ file: open }], io);
  expect(printed).toEqual([
    `v1watch: WARNING: other users can read ${open}, which holds a secret. Run: chmod 600 ${open}\n`,
  ]);
});
