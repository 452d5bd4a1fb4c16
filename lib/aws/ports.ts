// The ports of a Lambda function, from its environment.
import { readFileSync } from "node:fs";
import type { Ports, Receiver } from "../ports.ts";
import type { PublishMetrics } from "./cloudwatch.ts";
import { createLedger } from "./ledger.ts";
import { createOutbox } from "./outbox.ts";
import type { TableOptions } from "./table.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type PortsOptions = {
  env: Environment;
  /** Where this function sends alerts. */
  topic: Receiver;
  publishMetrics: PublishMetrics;
  readSubscriptions: NonNullable<Ports["readSubscriptions"]>;
  readWarnings: NonNullable<Ports["readWarnings"]>;
};

async function refuse(): Promise<never> {
  throw new Error("only a prober reads the key");
}

/** The ports of the assessment. */
export function fillPorts(options: PortsOptions): Ports {
  const { env, topic, publishMetrics, readSubscriptions, readWarnings } = options;
  const table = readTable(env);
  return {
    nowMs: Date.now,
    readKey: refuse,
    ledger: createLedger(table),
    outbox: createOutbox(table),
    receivers: [topic],
    publishMetrics,
    readSubscriptions,
    readWarnings,
  };
}

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

// What was deployed beside a function's code.
/** Undefined where nothing was. */
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
