// The one plain type of what differs between a laptop and AWS. It speaks in records.
import type { Alert } from "./records/alert.ts";
import type { Decision } from "./records/incident.ts";
import type { MetricPoint } from "./records/metric-point.ts";
import type { Observation } from "./records/observation.ts";
import type { ProbeState } from "./records/probe-state.ts";
import type { SubscriptionStatus } from "./records/subscription-status.ts";

export type KeyAnswer = { kind: "key"; key: string } | { kind: "none" } | { kind: "no-secret" };

/** The store did not take it, and why, in a word of our own: keep it, say DEGRADED, try again later. */
export type Failed = { kind: "failed"; why: string };

/** A value with the version it was read at; a write with an old version is refused, never lost. */
export type Versioned<T> = { value: T; version: number };

/** What an assessment has made of all observations of the days before `day` (UTC, 2026-11-15). */
export type Checkpoint = { day: string; state: unknown };

export type Unassessed = Pick<Observation, "id" | "at">;

/** What no assessment has folded yet, earliest first, and the version its commit has to name. */
export type Backlog = { version: number; unassessed: Unassessed[] };

/**
 * Observations are a set that only grows; a checkpoint is the fold over all before its day, and no
 * more than a shortcut. Where an outcome has no `failed`, a store that fails rejects: start again later.
 */
export type Ledger = {
  /**
   * Authenticated by id, and the first one wins: a replayed tick is `known`, and so is a retry of our own. What
   * is `too-old` belongs to days whose observations are already forgotten.
   */
  append(observation: Observation): Promise<{ kind: "new" | "known" | "too-old" } | Failed>;
  /** From inclusive, until exclusive, in the order of (at, id). */
  observations(fromMs: number, untilMs: number): AsyncIterable<Observation>;
  /** Ask for it before reading observations. */
  backlog(): Promise<Backlog>;
  /**
   * All or nothing. `folded` is the part of the backlog that was really read: the rest, and what came
   * meanwhile, stays. Checkpoints of days after the earliest folded one are replaced by the given ones
   * or dropped. False where another assessment committed first: start again from its backlog.
   */
  commit(assessment: {
    version: number;
    folded: readonly Unassessed[];
    checkpoints: readonly Checkpoint[];
  }): Promise<boolean>;
  /** The newest checkpoint at or before a day. */
  checkpointAt(day: string): Promise<Checkpoint | undefined>;
  readProbeState(): Promise<Versioned<ProbeState> | undefined>;
  /** Version 0 is the first. A conflict: somebody else wrote, so read again, merge, try again. */
  writeProbeState(
    probeState: ProbeState,
    version: number,
  ): Promise<{ kind: "written" | "conflict" } | Failed>;
  decide(decision: Decision): Promise<void>;
  /** In the order in which they were made. */
  decisions(): Promise<Decision[]>;
};

/** What must leave the house: it stays until the other side has accepted it. */
export type OutboxMessage =
  | { id: string; kind: "alert"; alert: Alert }
  | { id: string; kind: "metrics"; points: MetricPoint[] };

/**
 * For so long at least a delivered alert's id is known, however short observations are kept: a step of the
 * countdown, the first of them 90 days before the end, is told once because its id is known.
 */
export const dedupDays = 100;

export type Outbox = {
  /** Known ids are ignored, delivered ones included: delivery is at least once with a stable id. */
  put(messages: readonly OutboxMessage[]): Promise<{ kind: "kept" } | Failed>;
  /** Oldest first. Each kind has its own queue, so that one cannot block the other. */
  pending(kind: OutboxMessage["kind"], limit: number): Promise<OutboxMessage[]>;
  markDelivered(message: OutboxMessage): Promise<void>;
};

/** Resolves only when the other side has accepted; rejects to be tried again later. */
export type Delivery = {
  alert(alert: Alert): Promise<void>;
  metrics(points: readonly MetricPoint[]): Promise<void>;
};

export type Ports = {
  nowMs(): number;
  readKey(): Promise<KeyAnswer>;
  ledger: Ledger;
  outbox: Outbox;
  delivery: Delivery;
  /** Where alerts are sent through a topic of the stack. */
  readSubscriptions?(): Promise<SubscriptionStatus>;
};

export const dayOf = (at: string) => new Date(at).toISOString().slice(0, 10);

/** What a message tells of decides its place in the queue, not when it was put there. */
export const messageAtMs = (message: OutboxMessage) =>
  message.kind === "alert" ? Date.parse(message.alert.at) : (message.points[0]?.atMs ?? 0);
