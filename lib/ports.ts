// The interfaces that local mode and AWS implement differently. Their values are the types of lib/records.

import type { Alert } from "./records/alert.ts";
import type { StoredSettings } from "./records/assessment-settings.ts";
import type { Decision } from "./records/incident.ts";
import type { MetricPoint } from "./records/metric-point.ts";
import type { Observation } from "./records/observation.ts";
import type { OutboxMessage } from "./records/outbox-message.ts";
import type { ProbeState } from "./records/probe-state.ts";
import type { Delivered, Receipts } from "./records/receipt.ts";
import type { SubscriptionStatus } from "./records/subscription-status.ts";

export type { OutboxMessage } from "./records/outbox-message.ts";

export type KeyResult = { kind: "key"; key: string } | { kind: "none" } | { kind: "no-secret" };

/** The proxy that requests go through. */
export type HttpProxy = {
  /** Its address, with credentials if it wants any. Read for each connection, so that new ones need no restart. */
  readAddress(): Promise<KeyResult>;
  /** In the form of NO_PROXY: what is reached without it. */
  noProxy: string;
};

/**
 * The store rejected a write; `why` is a fixed term. The caller keeps the data, reports DEGRADED and retries
 * later.
 */
export type Failed = { kind: "failed"; why: string };

/** Entries of the store that could not be read and were set aside: by what they are, and when the latest was found. */
export type Unreadable = { count: number; byTable: Record<string, number>; latestMs?: number | undefined };

/** A value with the version at which it was read. A write with an outdated version is rejected. */
export type Versioned<T> = { value: T; version: number };

/**
 * The assessment state after all observations before `day` (UTC, such as 2026-11-15), or before an instant within a day
 * (2026-11-15T13:10:00.000Z). As texts both are in the order of time.
 */
export type Checkpoint = { day: string; state: unknown };

/** Within a day only the latest two count: the second for an observation that comes a little late. */
const keptWithinDay = 2;

/** The checkpoints within a day that are no longer needed. */
export const uselessCheckpoints = (days: readonly string[]): string[] =>
  days
    .filter((day) => day.includes("T"))
    .toSorted()
    .slice(0, -keptWithinDay);

export type Unassessed = Pick<Observation, "id" | "at">;

/**
 * The observations that no assessment has processed yet, earliest first, and the version that its commit has
 * to name.
 */
export type Backlog = { version: number; unassessed: Unassessed[] };

/**
 * Observations are only ever added. A checkpoint is a cache of the fold over all observations before it.
 * A method whose result has no `failed` rejects when the store fails; the caller retries later.
 */
export type Ledger = {
  /**
   * Idempotent by id, and the first write wins: a replayed tick or a retried write is `known`. `too-old`: the
   * observations of that day have already been deleted.
   */
  append(observation: Observation): Promise<{ kind: "new" | "known" | "too-old" } | Failed>;
  /** `fromMs` is inclusive, `untilMs` is exclusive. In the order of (at, id). */
  observations(fromMs: number, untilMs: number): AsyncIterable<Observation>;
  /** Read it before the observations, so that none is missed. */
  backlog(): Promise<Backlog>;
  /**
   * Atomic. `folded` is the part of the backlog that was processed; the rest, and observations added
   * meanwhile, stay in the backlog. Checkpoints after the earliest folded observation are replaced by
   * the given ones or deleted. Returns false when another assessment committed first; the caller restarts
   * from the new backlog.
   */
  commit(assessment: {
    version: number;
    folded: readonly Unassessed[];
    checkpoints: readonly Checkpoint[];
  }): Promise<boolean>;
  /** The latest checkpoint at or before a day or an instant. */
  checkpointAt(day: string): Promise<Checkpoint | undefined>;
  readProbeState(): Promise<Versioned<ProbeState> | undefined>;
  /**
   * Compare-and-set; version 0 creates the state. On `conflict` the caller reads again, merges and retries.
   */
  writeProbeState(
    probeState: ProbeState,
    version: number,
  ): Promise<{ kind: "written" | "conflict" } | Failed>;
  decide(decision: Decision): Promise<void>;
  /** In the order in which they were made. */
  decisions(): Promise<Decision[]>;
  /** The latest check of the topic's subscriptions replaces the one before. */
  saveSubscriptionStatus(status: SubscriptionStatus): Promise<void>;
  /** Undefined if they were never checked. */
  subscriptionStatus(): Promise<SubscriptionStatus | undefined>;
  /** Those by which the watch assesses from now on, beside what it decides, for whoever reads that elsewhere. */
  saveSettings(settings: StoredSettings): Promise<void>;
  /** Undefined where no watch has assessed yet. */
  settings(): Promise<StoredSettings | undefined>;
};

/** What a receiver accepted before. */
export type Earlier = {
  /** The recipients that have the alert already and do not get it again. */
  accepted: ReadonlySet<string>;
  /** Of the incidents that the alert ends, those of which the receiver has a message. */
  told: ReadonlySet<string>;
  /** Incidents of which the receiver still has to get another message: ended before that, they would stay open there. */
  awaited: ReadonlySet<string>;
};
export const nothingEarlier: Earlier = { accepted: new Set(), told: new Set(), awaited: new Set() };

/**
 * Where alerts are sent: a channel, an SNS topic, the dashboard. `send` resolves with the receipt of every recipient, and rejects
 * where no recipient has accepted the alert.
 */
export type Receiver = {
  name: string;
  send(alert: Alert, earlier?: Earlier): Promise<Receipts>;
  wants?(alert: Alert): boolean;
  /** False for the console and the page. A delivery to people proves the alert path. */
  reachesPeople: boolean;
};

/** Thrown by a receiver that was reached and does not accept this message. Later messages are not held back. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/** Thrown by a receiver that could not be reached. The message is one of our own and contains no address. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
  /** How long the receiver asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Thrown by a receiver that answers and accepts no message of ours now, as where it refuses our permission. Nothing arrived. */
export class NothingAcceptedError extends UnreachableError {
  override name = "NothingAcceptedError";
}

/** The whole message was sent and no answer came: it may have arrived. */
export class UnansweredError extends UnreachableError {
  override name = "UnansweredError";
}

/**
 * A message in the queue of one receiver. `tries`: how often the receiver refused it, or failed at it while it accepted
 * other messages. A receiver that is down is no fault of a message. `accepted` and `told`: as `Earlier`, left out where nothing is.
 */
export type QueuedMessage = {
  message: OutboxMessage;
  tries: number;
  nextTryMs: number;
  accepted?: readonly string[] | undefined;
  told?: readonly string[] | undefined;
};

/** `why` is a fixed term or a status; it never contains an address. */
type Undelivered = {
  atMs: number;
  tries: number;
  why: string;
  /** The recipients that have it, of this try and of those before. */
  accepted?: readonly string[] | undefined;
};

export type DeliveryResult =
  | { state: "delivered"; atMs: number; receipts: Delivered }
  | { state: "unwanted"; atMs: number }
  | (Undelivered & { state: "waiting"; nextTryMs: number })
  | (Undelivered & { state: "set-aside" });

export type ReceiverName = Pick<Receiver, "name">;

export type ReceiverStatus = {
  waiting: number;
  /** The first failed try of the messages that wait, and the cause of the latest. */
  failing?: { since: string; why: string } | undefined;
  /** The latest messages that were given up. */
  setAside: { id: string; at: string; why: string }[];
  deliveredAt?: string | undefined;
};

/**
 * The ids of delivered alerts are kept for at least this many days, even if observations are kept for less.
 * Each countdown alert, the first of them 90 days before the retirement date, is sent once because its id is
 * known.
 */
export const dedupDays = 100;

/** Every receiver has its own queue, so that none of them can block another. */
export type Outbox = {
  /** Ignores ids that are known, including delivered ones. Delivery is at least once, with a stable id. */
  put(messages: readonly OutboxMessage[]): Promise<{ kind: "kept" } | Failed>;
  /**
   * These are from now on all receivers. A new one gets the messages that are put from now on; the first ones also get
   * those that wait already.
   */
  subscribe(receivers: readonly Receiver[]): Promise<void>;
  /** Oldest first, without what the receiver has accepted and what was set aside. */
  pending(receiver: ReceiverName, limit: number): Promise<QueuedMessage[]>;
  /**
   * Where several processes deliver: true for one of them, which sends the message now. Its claim ends with what it records, or
   * after two minutes, if it was killed.
   */
  claim?(message: OutboxMessage, nowMs: number): Promise<boolean>;
  record(message: OutboxMessage, receiver: ReceiverName, result: DeliveryResult): Promise<void>;
  /** The latest alert of every incident that was put here and whose RESOLVED was not, delivered or waiting. */
  announced(): Promise<Alert[]>;
  /** The number of the latest RESOLVED of an incident that was put here, whatever was put after it; 0 where there is none. */
  lastEnd(incidentId: string): Promise<number>;
  /** Alerts that at least one receiver has not accepted yet, up to 100 of them. */
  undelivered(): Promise<{ count: number; oldestMs: number | undefined }>;
  status(receiver: ReceiverName): Promise<ReceiverStatus>;
};

export type Ports = {
  nowMs(): number;
  readKey(): Promise<KeyResult>;
  proxy?: HttpProxy | undefined;
  ledger: Ledger;
  outbox: Outbox;
  receivers: readonly Receiver[];
  /** To CloudWatch, or to /metrics on one machine. Rejects where the points were not accepted. */
  publishMetrics?(points: readonly MetricPoint[]): Promise<void>;
  /** Where alerts are sent through an SNS topic. */
  readSubscriptions?: (() => Promise<SubscriptionStatus>) | undefined;
  /** Entries of the store that could not be read, also those that this assessment has found. */
  readUnreadable?: (() => Promise<Unreadable>) | undefined;
};

export const dayOf = (at: string) => new Date(at).toISOString().slice(0, 10);

/** The time of the alert, which determines its place in the queue; not the time it was enqueued. */
export const messageAtMs = ({ alert }: OutboxMessage) => Date.parse(alert.at);
