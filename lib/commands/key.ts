// The key for a command: where the configuration says it is, on this machine or in AWS.
import type { Config, Origin } from "../config.ts";
import { createLocalKey } from "../local/keys.ts";
import type { KeyAnswer } from "../ports.ts";
import type { Io } from "./command.ts";

export async function readKey(
  config: Config,
  origins: Record<string, Origin>,
  env: Io["env"],
): Promise<KeyAnswer> {
  const { key } = config;
  // Nobody named a source, and the usual variable is not set: then there is no key, and V1 allows that.
  if (key !== "none" && "env" in key && origins.key === "default" && !env[key.env]) return { kind: "none" };
  if (key === "none" || "env" in key || "file" in key) return createLocalKey(key, env)();
  return { kind: "no-secret" };
}
