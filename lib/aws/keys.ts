// The API key from SSM Parameter Store or Secrets Manager. A source that fails gives `no-secret`, never an
// exception; of an error only its name leaves this file, because its message may contain what was read.
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import type { KeyResult } from "../ports.ts";
import { callTimeout, clientOptions, errorName } from "./clients.ts";

/** `why` is the name that AWS, its SDK or Node has for the error, or our own: not-a-key. */
export type AwsKeyResult = Exclude<KeyResult, { kind: "no-secret" }> | { kind: "no-secret"; why: string };
type ReadKey = () => Promise<AwsKeyResult>;
type KeyOptions = {
  region?: string | undefined;
  /** For tests; the SDK's own region and credentials otherwise. */
  ssm?: SSMClient;
  secretsManager?: SecretsManagerClient;
  nowMs?(): number;
};

/** A rotated key is used after this time at the latest. */
const cacheMs = 5 * 60_000;
const attemptTimeoutMs = 3_000;
const callTimeoutMs = 10_000;
const missing = new Set(["ParameterNotFound", "ResourceNotFoundException"]);

type KeySource = "none" | { ssm: string } | { secret: string } | { env: string } | { file: string };

/** A key in the environment or a file of another machine cannot be read here. */
export function createKey(source: KeySource, options: KeyOptions = {}): ReadKey {
  if (source === "none") return async () => ({ kind: "none" });
  if ("ssm" in source) return createSsmKey(source.ssm, options);
  if ("secret" in source) return createSecretKey(source.secret, options);
  return async () => ({ kind: "no-secret", why: "elsewhere" });
}

function createSsmKey(Name: string, { region, ssm, nowMs }: KeyOptions): ReadKey {
  const client = ssm ?? new SSMClient(clientOptions({ region, attemptTimeoutMs }));
  return cache(async () => {
    const command = new GetParameterCommand({ Name, WithDecryption: true });
    return (await client.send(command, callTimeout(callTimeoutMs))).Parameter?.Value;
  }, nowMs);
}

function createSecretKey(SecretId: string, { region, secretsManager, nowMs }: KeyOptions): ReadKey {
  const client = secretsManager ?? new SecretsManagerClient(clientOptions({ region, attemptTimeoutMs }));
  return cache(async () => {
    const { SecretString = "" } = await client.send(
      new GetSecretValueCommand({ SecretId }),
      callTimeout(callTimeoutMs),
    );
    return readSecret(SecretString);
  }, nowMs);
}

/** The text, or the only field of a JSON secret. */
function readSecret(secret: string): unknown {
  if (!secret.trimStart().startsWith("{")) return secret;
  const values = Object.values(JSON.parse(secret) as Record<string, unknown>);
  return values.length === 1 ? values[0] : undefined;
}

function cache(read: () => Promise<unknown>, nowMs: () => number = Date.now): ReadKey {
  let cached: { answer: AwsKeyResult; atMs: number } | undefined;
  return async () => {
    if (cached && nowMs() - cached.atMs < cacheMs) return cached.answer;
    try {
      const answer = toKey(await read());
      cached = answer.kind === "key" ? { answer, atMs: nowMs() } : undefined;
      return answer;
    } catch (error) {
      // While the source is down the last key stays in use; when the source says that it is gone, it does not.
      const why = errorName(error);
      if (missing.has(why)) cached = undefined;
      return cached?.answer ?? { kind: "no-secret", why };
    }
  };
}

/** What cannot be a header value is no key: Node would repeat it in its error message. */
function toKey(value: unknown): AwsKeyResult {
  const key = typeof value === "string" ? value.trim() : "";
  return /^[\x21-\x7e]{1,4096}$/.test(key) ? { kind: "key", key } : { kind: "no-secret", why: "not-a-key" };
}
