import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SSMClient } from "@aws-sdk/client-ssm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createKey } from "../../lib/aws/keys.ts";
import { type Asked, startAccount } from "./account-server.ts";
import { startKeySource } from "./key-server.ts";

const source = await startKeySource();
const ssm = new SSMClient(source.settings);
const secretsManager = new SecretsManagerClient(source.settings);
const parameter = (value: unknown) => ({ Parameter: { Name: "/v1watch/key", Value: value } });
const notFound = { __type: "ParameterNotFound", message: "nothing there" };

const startMs = Date.parse("2026-11-15T12:00:00Z");
let clockMs = startMs;
const nowMs = () => clockMs;
const openSsm = () => createKey({ ssm: "/v1watch/key" }, { ssm, nowMs });
const openSecret = () => createKey({ secret: "v1watch/key" }, { secretsManager, nowMs });

beforeEach(() => {
  source.asked.length = 0;
  clockMs = startMs;
});

describe("the key from SSM", () => {
  test("The key from SSM is requested decrypted, trimmed, and cached for five minutes", async () => {
    source.answer(200, parameter(" sentinel-1\n"));
    const readKey = openSsm();
    for (const ms of [0, 60_000, 299_999]) {
      clockMs = startMs + ms;
      expect(await readKey()).toEqual({ kind: "key", key: "sentinel-1" });
    }
    expect(source.asked).toEqual([
      { target: "AmazonSSM.GetParameter", body: { Name: "/v1watch/key", WithDecryption: true } },
    ]);
    source.answer(200, parameter("sentinel-2"));
    clockMs = startMs + 300_000;
    expect(await readKey()).toEqual({ kind: "key", key: "sentinel-2" });
  });

  test("The key from SSM stays cached while its source is down, and not when its source reports it missing", async () => {
    source.answer(200, parameter("sentinel"));
    const readKey = openSsm();
    await readKey();
    clockMs = startMs + 600_000;
    source.answer(500, { __type: "InternalServerError" });
    expect(await readKey()).toEqual({ kind: "key", key: "sentinel" });
    source.answer(400, notFound);
    expect(await readKey()).toEqual({ kind: "no-secret", why: "ParameterNotFound" });
    source.answer(500, { __type: "InternalServerError" });
    expect(await readKey()).toEqual({ kind: "no-secret", why: "InternalServerError" });
  });

  test.each([
    ["is missing", 400, notFound, "ParameterNotFound"],
    [
      "is forbidden",
      400,
      { __type: "com.amazonaws#AccessDeniedException", message: "sentinel" },
      "AccessDeniedException",
    ],
    ["fails", 500, {}, "Http500"],
    ["fails with a name that is none", 500, { __type: "sentinel key" }, "Http500"],
    ["answers nothing", 200, {}, "not-a-key"],
    ["is empty", 200, parameter("  "), "not-a-key"],
    ["has a line break within", 200, parameter("sen\ntinel"), "not-a-key"],
    ["is no text", 200, parameter(7), "not-a-key"],
  ])("The key from SSM is no-secret, and no exception, where it %s", async (_name, status, body, why) => {
    source.answer(status, body);
    expect(await openSsm()()).toEqual({ kind: "no-secret", why });
  });

  test("The key from SSM is no-secret where the SDK finds no credentials", async () => {
    const credentials = async () => {
      throw Object.assign(new Error("sentinel"), { name: "CredentialsProviderError" });
    };
    const without = new SSMClient({ ...source.settings, credentials });
    expect(await createKey({ ssm: "/v1watch/key" }, { ssm: without })()).toEqual({
      kind: "no-secret",
      why: "CredentialsProviderError",
    });
  });

  test("The key from SSM is no-secret where the connection is refused", async () => {
    const unreachable = new SSMClient({ ...source.settings, endpoint: "http://127.0.0.1:1" });
    const why = "ECONNREFUSED";
    expect(await createKey({ ssm: "x" }, { ssm: unreachable })()).toEqual({ kind: "no-secret", why });
  });
});

describe("the key from Secrets Manager", () => {
  test.each([
    ["plain text", "sentinel\n", "sentinel"],
    ["the only field", '{"apiKey":"sentinel"}', "sentinel"],
    ["one of several fields", '{"a":"sentinel","b":"x"}', undefined],
    ["broken JSON", '{"apiKey":"sentinel', undefined],
    ["a field that is no text", '{"apiKey":{"x":1}}', undefined],
  ])("The key from Secrets Manager is read or refused: %s", async (_name, SecretString, key) => {
    source.answer(200, { SecretString });
    const noSecret = { kind: "no-secret", why: expect.stringMatching(/^not-a-key$|^SyntaxError$/) };
    expect(await openSecret()()).toEqual(key ? { kind: "key", key } : noSecret);
  });

  test("The key from Secrets Manager is no-secret where it is missing, also when it was there before", async () => {
    const missing = { kind: "no-secret", why: "ResourceNotFoundException" };
    source.answer(400, { __type: "ResourceNotFoundException" });
    expect(await openSecret()()).toEqual(missing);
    source.answer(200, { SecretString: "sentinel" });
    const readKey = openSecret();
    expect(await readKey()).toEqual({ kind: "key", key: "sentinel" });
    expect(source.asked.at(-1)).toEqual({
      target: "secretsmanager.GetSecretValue",
      body: { SecretId: "v1watch/key" },
    });
    clockMs = startMs + 300_000;
    source.answer(400, { __type: "ResourceNotFoundException" });
    expect(await readKey()).toEqual(missing);
  });
});

test("The configured source decides where the key is read", async () => {
  const read = (from: Parameters<typeof createKey>[0]) => createKey(from, { ssm, secretsManager })();
  source.answer(200, { ...parameter("of-ssm"), SecretString: "of-secrets-manager" });
  expect(await read({ ssm: "/v1watch/key" })).toEqual({ kind: "key", key: "of-ssm" });
  expect(await read({ secret: "v1watch/key" })).toEqual({ kind: "key", key: "of-secrets-manager" });
  expect(await read("none")).toEqual({ kind: "none" });
  for (const elsewhere of [{ env: "KEY" }, { file: "key.txt" }])
    expect(await read(elsewhere)).toEqual({ kind: "no-secret", why: "elsewhere" });
});

test("A key is read in the named region", async () => {
  const play = ({ service }: Asked) => ({
    status: 200,
    body: JSON.stringify(service === "ssm" ? parameter("of-ssm") : { SecretString: "of-secrets-manager" }),
  });
  const account = await startAccount(play);
  vi.stubEnv("AWS_ENDPOINT_URL", account.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  const region = "ap-south-1";
  expect(await createKey({ ssm: "/v1watch/key" }, { region })()).toEqual({ kind: "key", key: "of-ssm" });
  expect(await createKey({ secret: "v1watch/key" }, { region })()).toEqual({
    kind: "key",
    key: "of-secrets-manager",
  });
  expect(account.asked.map((one) => one.region)).toEqual([region, region]);
  vi.unstubAllEnvs();
});

test("A key has 1 to 4,096 printable characters", async () => {
  for (const [value, kind] of [
    ["k".repeat(4_096), "key"],
    ["k".repeat(4_097), "no-secret"],
    ["two words", "no-secret"],
    ["schlüssel", "no-secret"],
  ]) {
    source.answer(200, parameter(value));
    expect((await openSsm()()).kind).toBe(kind);
  }
});
