// The ports of a Lambda function, from its environment.
import { readFileSync } from "node:fs";
import type { StandardUnit } from "@aws-sdk/client-cloudwatch";
import type { Outbox, OutboxMessage, Ports, Receiver } from "../ports.ts";
import { createCloudWatchReceiver } from "./cloudwatch.ts";
import { createLedger } from "./ledger.ts";
import { createOutbox } from "./outbox.ts";
import type { TableOptions } from "./table.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type PortsOptions = {
  env: Environment;
  catalogue: { namespace: string; units: Readonly<Record<string, StandardUnit>> };
  /** Where this function sends requests to V1. */
  readKey?: Ports["readKey"];
  /** Where this function sends alerts. */
  topic?: Receiver;
  readSubscriptions?: Ports["readSubscriptions"];
  /** Which messages this function delivers: each has one deliverer, so that no number is counted twice. */
  isMine(message: OutboxMessage): boolean;
  say(sentence: string): void;
};

async function refuse(): Promise<never> {
  throw new Error("this function has no such port");
}

export function fillPorts(options: PortsOptions): Ports {
  const { env, catalogue, readKey = refuse, topic, readSubscriptions, isMine, say } = options;
  const table = readTable(env);
  return {
    nowMs: Date.now,
    readKey,
    ledger: createLedger(table),
    outbox: onlyMine(createOutbox(table), isMine),
    receivers: [...(topic ? [topic] : []), createCloudWatchReceiver({ ...catalogue, nowMs: Date.now, say })],
    ...(readSubscriptions && { readSubscriptions }),
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

/** Looks past what waits for others. */
const maxWaiting = 1_000;

function onlyMine(outbox: Outbox, isMine: PortsOptions["isMine"]): Outbox {
  return {
    ...outbox,
    async pending(receiver, limit) {
      const waiting = await outbox.pending(receiver, Math.max(limit, maxWaiting));
      return waiting.filter(({ message }) => isMine(message)).slice(0, limit);
    },
  };
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
