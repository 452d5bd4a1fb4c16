// Reads the API key for a command from the source in the configuration: environment, file, SSM or Secrets Manager.

import { constants, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { AwsKeyResult } from "../aws/keys.ts";
import type { Config, KeySource, Origin } from "../config/config.ts";
import type { KeyResult } from "../ports.ts";
import type { Io } from "./command.ts";
import { explainNoKey } from "./remedies.ts";

/** `remedy` says what is missing and what to do. It never contains anything that was read. */
export type CommandKey = Exclude<KeyResult, { kind: "no-secret" }> | { kind: "no-secret"; remedy: string };
type ReadKey = () => Promise<CommandKey>;

/** Covers the search for credentials and every attempt. */
const deadlineMs = 10_000;

/** A function that can be called repeatedly. A key in AWS is cached for five minutes. */
export function openKey(config: Config, origins: Readonly<Record<string, Origin>>, env: Io["env"]): ReadKey {
  const { key, aws } = config;
  // No source is configured and the default variable is not set: requests are anonymous, which V1 allows.
  if (key !== "none" && "env" in key && origins.key === "default" && !env[key.env])
    return async () => ({ kind: "none" });
  return openSource(key, env, aws.region);
}

export const readKey = (...args: Parameters<typeof openKey>): Promise<CommandKey> => openKey(...args)();

/** Reads a key other than V1's, such as V2's. Without a region, the default of the AWS CLI applies. */
export const readKeyFrom = (source: KeySource, env: Io["env"], region?: string): Promise<CommandKey> =>
  openSource(source, env, region)();

function openSource(source: KeySource, env: Io["env"], region?: string): ReadKey {
  const read: () => Promise<KeyResult & { why?: string }> =
    source === "none" || "env" in source || "file" in source
      ? createLocalKey(source, env)
      : openAwsKey(source, region);
  return async () => {
    const result = await read();
    if (result.kind !== "no-secret") return result;
    return { kind: "no-secret", remedy: explainNoKey(source, result.why) };
  };
}

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A key over http can be read by everyone on the way. */
export function warnOfPlainHttp(
  { baseUrl }: Pick<Config, "baseUrl">,
  hasKey: boolean,
  io: Pick<Io, "err">,
): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (hasKey && protocol === "http:" && !loopbackHost.test(hostname))
    io.err("v1watch: WARNING: the key is sent unencrypted, because the base URL is http. Use https.\n");
}

type AwsSource = Extract<KeySource, { ssm: string } | { secret: string }>;

function openAwsKey(source: AwsSource, region?: string): () => Promise<AwsKeyResult> {
  const open = async () => {
    // Imported on demand because this loads the AWS SDK.
    const { createKey } = await import("../aws/keys.ts");
    return createKey(source, { region });
  };
  let opened: ReturnType<typeof open> | undefined;
  return async () => {
    opened ??= open();
    const timer = new AbortController();
    const timedOut = { kind: "no-secret", why: "TimeoutError" } as const;
    try {
      return await Promise.race([(await opened)(), sleep(deadlineMs, timedOut, { signal: timer.signal })]);
    } finally {
      timer.abort();
    }
  };
}

// Reads the API key and the secrets of channels from the environment or a file. A key that cannot be read is `no-secret`, never an exception.
const maxFileBytes = 4_096;

export type LocalKeySource = { env: string } | { file: string } | "none";
type Environment = Readonly<Record<string, string | undefined>>;

/** A secret of a channel: one line that may contain spaces. Undefined where it cannot be read. */
export async function readSecret(
  source: Exclude<LocalKeySource, "none">,
  env: Environment,
): Promise<string | undefined> {
  const text = ("env" in source ? env[source.env] : await readSmallFile(source.file))?.trim() ?? "";
  return /^[\x20-\x7e]{1,4096}$/.test(text) ? text : undefined;
}

export function createLocalKey(source: LocalKeySource, env: Environment): () => Promise<KeyResult> {
  if (source === "none") return async () => ({ kind: "none" });
  if ("env" in source) return async () => toKey(env[source.env]);
  return async () => toKey(await readSmallFile(source.file));
}

/** The file is read for every request, so that a rotated key needs no restart. */
async function readSmallFile(path: string): Promise<string | undefined> {
  try {
    // Non-blocking, because opening a pipe without a writer would block the probe forever.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return undefined;
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxFileBytes + 1));
      return bytesRead > maxFileBytes ? undefined : buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** Rejects characters that are invalid in a header, because Node would repeat the key in its error message. */
function toKey(value: string | undefined): KeyResult {
  const key = value?.trim() ?? "";
  return /^[\x21-\x7e]{1,4096}$/.test(key) ? { kind: "key", key } : { kind: "no-secret" };
}
