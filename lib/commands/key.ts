// Reads the API key for a command from the source in the configuration: environment, file, SSM or Secrets Manager.

import { setTimeout as sleep } from "node:timers/promises";
import type { AwsKeyResult } from "../aws/keys.ts";
import { type Config, type KeySource, maskKey, type Origin } from "../config/config.ts";
import { isLoopbackHost } from "../config/loopback.ts";
import type { KeyResult } from "../ports.ts";
import type { Io } from "./command.ts";
import { explainNoKey } from "./remedies.ts";
import { createLocalKey } from "./secrets.ts";

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

/** A function that can be called repeatedly, for V1's key and other secrets that may be in AWS. */
export function openSource(source: KeySource, env: Io["env"], region?: string): ReadKey {
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

/** For the line that says what is watched. */
export function describeKey(key: CommandKey): string {
  if (key.kind === "key") return `key ${maskKey(key.key)}`;
  return key.kind === "none" ? "no key" : "key not found";
}

/** A key over http can be read by everyone on the way. */
export function warnOfPlainHttp(
  { baseUrl }: Pick<Config, "baseUrl">,
  hasKey: boolean,
  io: Pick<Io, "err">,
): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (hasKey && protocol === "http:" && !isLoopbackHost(hostname))
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
