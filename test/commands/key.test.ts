// A key that is kept in AWS, read on a person's machine: by every command that asks V1, and in the same way.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startSimulator } from "../../lib/simulator/server.ts";
import { bareEnvironment } from "../aws/bare-environment.ts";
import { startKeySource } from "../aws/key-server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";
import { type Printed, run } from "./terminal.ts";

const apiKey = "sentinel-key-0123456789-3f2a";
const folder = makeFolder();
const at = (name: string) => join(folder, name);
const v1 = await startSimulator({ passports: 40, key: apiKey });
afterAll(() => v1.close());
const source = await startKeySource();
const { endpoint, region, credentials } = source.settings;
const parameter = { Parameter: { Value: apiKey } };
const target = ["--base-url", v1.url, "--allow-loopback"];

const nothing = bareEnvironment(folder, endpoint);
const person = {
  ...nothing,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

function configure(key: object, rest: object = {}): string {
  const file = at("v1watch.config.json");
  writeFileSync(file, JSON.stringify({ baseUrl: v1.url, store: at("watch.db"), key, ...rest }));
  return file;
}

async function start(args: string[], env: Record<string, string | undefined>): Promise<Printed> {
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
  test("is read from SSM by probe", async () => {
    source.answer(200, parameter);
    const { code, out, err } = await probe({ ssm: "/v1watch/key" }, person);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("key …3f2a");
    expect(source.asked).toEqual([
      { target: "AmazonSSM.GetParameter", body: { Name: "/v1watch/key", WithDecryption: true } },
    ]);
  });

  test("is read from Secrets Manager with the credentials of a profile, in the configured region", async () => {
    const { accessKeyId, secretAccessKey } = credentials;
    const lines = ["[work]", `aws_access_key_id=${accessKeyId}`, `aws_secret_access_key=${secretAccessKey}`];
    writeFileSync(at("credentials"), lines.join("\n"));
    source.answer(200, { SecretString: JSON.stringify({ key: apiKey }) });
    const env = { ...nothing, AWS_PROFILE: "work", AWS_SHARED_CREDENTIALS_FILE: at("credentials") };
    const { code, err } = await probe({ secret: "v1watch/key" }, env, { aws: { region: "eu-west-1" } });
    expect([code, err]).toEqual([0, ""]);
    expect(source.asked).toEqual([
      { target: "secretsmanager.GetSecretValue", body: { SecretId: "v1watch/key" } },
    ]);
  });

  test("is read by up, once for the greeting and the cycle", async () => {
    source.answer(200, parameter);
    const config = configure({ ssm: "/v1watch/key" });
    const { out, err } = await start(["up", "--once", "--port", "0", "--config", config, ...target], person);
    expect(err).toBe("");
    expect(out).toContain("key …3f2a");
    expect(out).not.toMatch(/401|not asked/);
    expect(source.asked).toHaveLength(1);
  });

  test("is read by parity, V2's as well as V1's", async () => {
    const mapping = decidedMapping(v1.url);
    writeFileSync(
      at("map.json"),
      JSON.stringify({ ...mapping, v2: { ...mapping.v2, key: { ssm: "/v2/key" } } }),
    );
    source.answer(400, { __type: "ParameterNotFound" });
    const config = configure("none" as unknown as object);
    const args = ["parity", "--mapping", at("map.json"), "--config", config, ...target];
    const { code, err } = await start(args, person);
    expect(err).toMatch(/^v1watch: for V2, the SSM parameter \/v2\/key is not in this account and region\./);
    expect(code).toBe(2);
  });
});

describe("where it cannot be read, a person is told why and what to do", () => {
  const ssm = { ssm: "/v1watch/key" };
  const deny = { __type: "AccessDeniedException", Message: apiKey };
  test.each([
    [
      "no credentials",
      ssm,
      { ...person, AWS_ACCESS_KEY_ID: undefined },
      parameter,
      /no AWS credentials.*aws sso login/,
    ],
    ["no region", ssm, { ...person, AWS_REGION: undefined }, parameter, /no region is set\. Set aws\.region/],
    ["wrong credentials", ssm, person, { __type: "InvalidSignatureException" }, /refuses the credentials/],
    ["not allowed", ssm, person, deny, /does not allow it\. Ask for ssm:GetParameter/],
    ["not allowed", { secret: "a" }, person, deny, /Ask for secretsmanager:GetSecretValue/],
    [
      "no parameter",
      ssm,
      person,
      { __type: "ParameterNotFound" },
      /aws ssm put-parameter .* --name \/v1watch\/key/,
    ],
    ["no secret", { secret: "a" }, person, { __type: "ResourceNotFoundException" }, /create-secret --name a/],
    [
      "no key in it",
      ssm,
      person,
      { Parameter: { Value: `${apiKey}\n${apiKey}` } },
      /holds no key that can be sent/,
    ],
    ["half a secret", { secret: "a" }, person, { SecretString: `{"key":"${apiKey}` }, /just one field/],
    [
      "nobody there",
      ssm,
      { ...person, AWS_ENDPOINT_URL: "http://127.0.0.1:1" },
      parameter,
      /: ECONNREFUSED\. Look at the network/,
    ],
  ])("%s (%j)", async (_name, key, env, answer, told) => {
    source.answer("__type" in answer ? 400 : 200, answer);
    const { code, out, err } = await probe(key, env);
    expect(err).toMatch(told);
    expect(err).toMatch(/^v1watch: [^\n]+\n$/);
    expect(out).toContain("key not found");
    expect(out).not.toContain("401");
    expect(code).toBe(2);
  });
});
