// The API key from SSM or Secrets Manager. A source that fails is `no-secret`, never an exception, and
// no error of the SDK leaves this file: it might hold what was read.
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { SSMClient } from "@aws-sdk/client-ssm";
import type { KeyAnswer } from "../ports.ts";

type ReadKey = () => Promise<KeyAnswer>;
type Clock = { nowMs?(): number };

/** A rotated key is in use this soon. */
const cacheMs = 5 * 60_000;
const timeouts = { connectionTimeout: 2_000, requestTimeout: 3_000 };
const missing = new Set(["ParameterNotFound", "ResourceNotFoundException"]);

type KeySource = "none" | { ssm: string } | { secret: string } | { env: string } | { file: string };

/** What only another machine has is no secret here. */
export function createKey(source: KeySource): ReadKey {
  if (source === "none") return async () => ({ kind: "none" });
  if ("ssm" in source) return createSsmKey({ name: source.ssm });
  if ("secret" in source) return createSecretKey({ secretId: source.secret });
  return async () => ({ kind: "no-secret" });
}

export function createSsmKey({
  name,
  client,
  nowMs,
}: { name: string; client?(): Promise<SSMClient> } & Clock): ReadKey {
  return remember(async () => {
    const { GetParameterCommand, SSMClient } = await import("./client-ssm.ts");
    const ssm = client ? await client() : new SSMClient({ requestHandler: timeouts });
    const answer = await ssm.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
    return answer.Parameter?.Value;
  }, nowMs);
}

/** `field` names the key within a JSON secret; one with a single field needs no name. */
export function createSecretKey({
  secretId,
  field,
  client,
  nowMs,
}: { secretId: string; field?: string; client?(): Promise<SecretsManagerClient> } & Clock): ReadKey {
  return remember(async () => {
    const { GetSecretValueCommand, SecretsManagerClient } = await import("./client-secrets.ts");
    const secrets = client ? await client() : new SecretsManagerClient({ requestHandler: timeouts });
    const answer = await secrets.send(new GetSecretValueCommand({ SecretId: secretId }));
    return pickField(answer.SecretString ?? "", field);
  }, nowMs);
}

function pickField(secret: string, field: string | undefined): unknown {
  if (!secret.trimStart().startsWith("{")) return field === undefined ? secret : undefined;
  const fields = Object.entries(JSON.parse(secret) as Record<string, unknown>);
  if (field === undefined) return fields.length === 1 ? fields[0]?.[1] : undefined;
  return fields.find(([name]) => name === field)?.[1];
}

function remember(read: () => Promise<unknown>, nowMs: () => number = Date.now): ReadKey {
  let known: { answer: KeyAnswer; atMs: number } | undefined;
  return async () => {
    if (known && nowMs() - known.atMs < cacheMs) return known.answer;
    try {
      const answer = asKey(await read());
      known = answer.kind === "key" ? { answer, atMs: nowMs() } : undefined;
      return answer;
    } catch (error) {
      // A source that is down takes nothing back; one that says the key is gone does.
      if (missing.has(String((error as Error)?.name))) known = undefined;
      return known?.answer ?? { kind: "no-secret" };
    }
  };
}

/** What cannot be a header is no key: Node would repeat it in its complaint. */
function asKey(value: unknown): KeyAnswer {
  const key = typeof value === "string" ? value.trim() : "";
  return /^[\x21-\x7e]{1,4096}$/.test(key) ? { kind: "key", key } : { kind: "no-secret" };
}
