// What a Lambda function gets from its environment, and what was deployed beside its code.
import { readFileSync } from "node:fs";
import type { TableOptions } from "./table.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function readTable(env: Environment): TableOptions {
  const retentionDays = Number(read(env, "RETENTION_DAYS"));
  return { tableName: read(env, "TABLE"), retentionDays };
}

export function read(env: Environment, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

/** Where AWS itself is played by a server on this machine, V1 may be too; in Lambda it never is. */
export function isLocal(env: Environment): boolean {
  const hostname = URL.parse(env.AWS_ENDPOINT_URL ?? "")?.hostname;
  return hostname === "127.0.0.1" || hostname === "localhost";
}

/** A file that was deployed beside the function's code; undefined where none was. */
export function readBundledFile(name: string): unknown {
  let text: string;
  try {
    text = readFileSync(new URL(name, import.meta.url), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return JSON.parse(text);
}
