// The key for a command: where the configuration says it is, on this machine or in AWS.
import { setTimeout as sleep } from "node:timers/promises";
import type { AwsKeyResult } from "../aws/keys.ts";
import type { Config, KeySource, Origin } from "../config/config.ts";
import { createLocalKey } from "../local/keys.ts";
import type { KeyResult } from "../ports.ts";
import type { Io } from "./command.ts";
import { explainNoKey } from "./remedies.ts";

/** `remedy` is a sentence or two for a person: what is missing and what to do. Nothing that was read is in it. */
export type FoundKey = Exclude<KeyResult, { kind: "no-secret" }> | { kind: "no-secret"; remedy: string };
type ReadKey = () => Promise<FoundKey>;

/** For all of it: finding the credentials, and every attempt. */
const deadlineMs = 10_000;

/** For a watch, which asks again and again: AWS is asked once in five minutes. */
export function openKey(config: Config, origins: Readonly<Record<string, Origin>>, env: Io["env"]): ReadKey {
  const { key, aws } = config;
  // Nobody named a source, and the usual variable is not set: then there is no key, and V1 allows that.
  if (key !== "none" && "env" in key && origins.key === "default" && !env[key.env])
    return async () => ({ kind: "none" });
  return openSource(key, env, aws.region);
}

export const readKey = (...given: Parameters<typeof openKey>): Promise<FoundKey> => openKey(...given)();

/** A key that is not V1's, such as V2's; without a region, the one that the AWS command line would take. */
export const readKeyFrom = (source: KeySource, env: Io["env"], region?: string): Promise<FoundKey> =>
  openSource(source, env, region)();

function openSource(source: KeySource, env: Io["env"], region?: string): ReadKey {
  const read: () => Promise<KeyResult & { why?: string }> =
    source === "none" || "env" in source || "file" in source
      ? createLocalKey(source, env)
      : openAwsKey(source, env, region);
  return async () => {
    const answer = await read();
    if (answer.kind !== "no-secret") return answer;
    return { kind: "no-secret", remedy: explainNoKey(source, answer.why) };
  };
}

type AwsSource = Extract<KeySource, { ssm: string } | { secret: string }>;

function openAwsKey(source: AwsSource, env: Io["env"], region?: string): () => Promise<AwsKeyResult> {
  const open = async () => {
    // Only here: it brings the SDK.
    const [{ createKey }, { findAccess }] = await Promise.all([
      import("../aws/keys.ts"),
      import("../aws/person-access.ts"),
    ]);
    return createKey(source, { access: findAccess(env, region) });
  };
  let opened: ReturnType<typeof open> | undefined;
  return async () => {
    opened ??= open();
    const done = new AbortController();
    const late = { kind: "no-secret", why: "TimeoutError" } as const;
    try {
      return await Promise.race([(await opened)(), sleep(deadlineMs, late, { signal: done.signal })]);
    } finally {
      done.abort();
    }
  };
}
