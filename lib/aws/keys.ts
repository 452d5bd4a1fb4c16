// The API key from SSM or Secrets Manager. A source that fails is `no-secret`, never an exception, and
// no error and no answer leaves this file but by its name: it might hold what was read.
import type { KeyResult } from "../ports.ts";
import { type Access, askAws, hostOf, readAccess } from "./signed-request.ts";

/** `why` is AWS's or Node's own name of what went wrong, or ours: not-a-key. */
export type AwsKeyResult = Exclude<KeyResult, { kind: "no-secret" }> | { kind: "no-secret"; why: string };
type ReadKey = () => Promise<AwsKeyResult>;
/** The function's own access and clock, unless others are given. */
type Setting = { access?: Access | (() => Promise<Access>); nowMs?(): number };

/** A rotated key is in use this soon. */
const cacheMs = 5 * 60_000;
const timeoutMs = 3_000;
const missing = new Set(["ParameterNotFound", "ResourceNotFoundException"]);

type KeySource = "none" | { ssm: string } | { secret: string } | { env: string } | { file: string };

/** What only another machine has is no secret here. */
export function createKey(source: KeySource, setting: Setting = {}): ReadKey {
  if (source === "none") return async () => ({ kind: "none" });
  if ("ssm" in source) return createSsmKey({ ...setting, name: source.ssm });
  if ("secret" in source) return createSecretKey({ ...setting, secretId: source.secret });
  return async () => ({ kind: "no-secret", why: "elsewhere" });
}

export function createSsmKey({ name, access, nowMs }: { name: string } & Setting): ReadKey {
  return remember(async () => {
    const question = { Name: name, WithDecryption: true };
    const answer = await askService("ssm", "AmazonSSM.GetParameter", question, access);
    return (answer.Parameter as { Value?: unknown } | undefined)?.Value;
  }, nowMs);
}

/** `field` names the key within a JSON secret; one with a single field needs no name. */
export function createSecretKey({
  secretId,
  field,
  access,
  nowMs,
}: { secretId: string; field?: string } & Setting): ReadKey {
  return remember(async () => {
    const question = { SecretId: secretId };
    const answer = await askService("secretsmanager", "secretsmanager.GetSecretValue", question, access);
    return pickField(String(answer.SecretString ?? ""), field);
  }, nowMs);
}

/** Rejects with AWS's own name of the error, and nothing else of its answer. */
async function askService(
  service: "ssm" | "secretsmanager",
  target: string,
  question: object,
  given: Setting["access"] = readAccess(),
): Promise<Record<string, unknown>> {
  const access = typeof given === "function" ? await given() : given;
  const url = new URL(access.endpoint ?? `https://${hostOf(service, access.region)}/`);
  const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": target };
  const ask = { service, method: "POST", url, headers, body: JSON.stringify(question), timeoutMs } as const;
  const { status, body } = await askAws(ask, access);
  if (status === 200) return JSON.parse(body) as Record<string, unknown>;
  const name = /"__type":\s*"(?:[^"]*#)?(\w+)"/.exec(body)?.[1] ?? `Http${status}`;
  throw Object.assign(new Error("the source did not give the key"), { name });
}

function pickField(secret: string, field: string | undefined): unknown {
  if (!secret.trimStart().startsWith("{")) return field === undefined ? secret : undefined;
  const fields = Object.entries(JSON.parse(secret) as Record<string, unknown>);
  if (field === undefined) return fields.length === 1 ? fields[0]?.[1] : undefined;
  return fields.find(([name]) => name === field)?.[1];
}

function remember(read: () => Promise<unknown>, nowMs: () => number = Date.now): ReadKey {
  let known: { answer: AwsKeyResult; atMs: number } | undefined;
  return async () => {
    if (known && nowMs() - known.atMs < cacheMs) return known.answer;
    try {
      const answer = asKey(await read());
      known = answer.kind === "key" ? { answer, atMs: nowMs() } : undefined;
      return answer;
    } catch (error) {
      // A source that is down takes nothing back; one that says the key is gone does.
      const why = nameOf((error ?? {}) as NodeJS.ErrnoException);
      if (missing.has(why)) known = undefined;
      return known?.answer ?? { kind: "no-secret", why };
    }
  };
}

function nameOf({ name, code }: NodeJS.ErrnoException): string {
  const why = name === "Error" ? String(code) : String(name);
  return /^\w{1,60}$/.test(why) ? why : "unknown";
}

/** What cannot be a header is no key: Node would repeat it in its complaint. */
function asKey(value: unknown): AwsKeyResult {
  const key = typeof value === "string" ? value.trim() : "";
  return /^[\x21-\x7e]{1,4096}$/.test(key) ? { kind: "key", key } : { kind: "no-secret", why: "not-a-key" };
}
