// What waits in the outbox leaves it, oldest first, when its receivers have accepted it. Receivers are independent:
// one that is down, hangs or refuses a message delays neither another receiver nor a later message.
import {
  messageAtMs,
  type Outbox,
  type OutboxMessage,
  type QueuedMessage,
  type Receiver,
  RefusedError,
  UnreachableError,
} from "../ports.ts";
import { incidentOf } from "../records/alert.ts";

/** `pending`: the messages that were read and not delivered; at least 1 when a limit ended the run early. */
export type DeliveryCounts = { delivered: number; failed: number; pending: number };

const maxMessages = 1_000;
const maxRunMs = 20_000;
/** A receiver that cannot be reached for so many messages in a row is down: the others are not tried in this run. */
const maxFailures = 3;

const firstRetryMs = 15_000;
const maxRetryMs = 15 * 60_000;
/** With a try every 15 minutes about two days; then the message is set aside and named. */
export const maxTries = 200;

export const retryDelayMs = (tries: number) => Math.min(maxRetryMs, firstRetryMs * 2 ** (tries - 1));

/** A try that lies further ahead than any delay was planned by a clock that was wrong. */
const isDue = (nextTryMs: number, nowMs: number) => nextTryMs <= nowMs || nextTryMs > nowMs + maxRetryMs;

/**
 * While a message of an incident cannot be delivered, later messages of the same incident wait, so that
 * "down" is never delivered after "RESOLVED". Older messages, and those that the receiver refused, do not hold
 * back later ones. The limit is longer than the outage of 3 h that delivery must survive without changing the order.
 */
const maxHoldMs = 4 * 3_600_000;

export type DeliveryLimits = {
  /** No delivery is started after this time. */
  untilMs?: number;
};

const noCounts: DeliveryCounts = { delivered: 0, failed: 0, pending: 0 };

/** Never rejects. All receivers at once. */
export async function deliverPending(
  outbox: Outbox,
  receivers: readonly Receiver[],
  nowMs: () => number,
  { untilMs = Infinity }: DeliveryLimits = {},
): Promise<DeliveryCounts> {
  const endMs = Math.min(untilMs, nowMs() + maxRunMs);
  try {
    await outbox.subscribe(receivers);
  } catch {
    return { ...noCounts, failed: 1, pending: 1 };
  }
  const counts = await Promise.all(
    receivers.map((receiver) =>
      deliverTo(outbox, receiver, nowMs, endMs).catch(() => ({ ...noCounts, failed: 1, pending: 1 })),
    ),
  );
  const sum = (name: keyof DeliveryCounts) => counts.reduce((total, count) => total + count[name], 0);
  return { delivered: sum("delivered"), failed: sum("failed"), pending: sum("pending") };
}

/** Numbers carry their time and may come in any order: each is alone. */
const groupOf = (message: OutboxMessage) =>
  message.kind === "alert" ? incidentOf(message.alert) : message.id;

async function deliverTo(
  outbox: Outbox,
  receiver: Receiver,
  nowMs: () => number,
  endMs: number,
): Promise<DeliveryCounts> {
  const waiting = await outbox.pending(receiver, maxMessages);
  const dueGroups = new Set(
    waiting.filter(({ nextTryMs }) => isDue(nextTryMs, nowMs())).map(({ message }) => groupOf(message)),
  );
  // The oldest is tried first whenever any is due, so that a receiver that returns gets its messages in order.
  let candidates =
    dueGroups.size === 0
      ? []
      : waiting.filter(({ message }, index) => index === 0 || dueGroups.has(groupOf(message)));
  const tried = new Set<QueuedMessage>();
  /** Incidents with an undelivered message, whose later messages have to wait. */
  const held = new Set<string>();
  let [delivered, unwanted, failed, unreachable] = [0, 0, 0, 0];
  const isEnd = () => unreachable >= maxFailures || nowMs() >= endMs;
  for (let index = 0; index < candidates.length && !isEnd(); index++) {
    const queued = candidates[index]!;
    const group = groupOf(queued.message);
    if (tried.has(queued) || held.has(group)) continue;
    tried.add(queued);
    const outcome = await deliver(outbox, receiver, queued, nowMs);
    if (outcome === "unwanted") unwanted += 1;
    if (outcome === "delivered") {
      delivered += 1;
      unreachable = 0;
      // The receiver accepts messages, so all of them are due: in order, or after those whose time has come where
      // the oldest is one that it does not accept.
      if (delivered === 1) candidates = index === 0 ? waiting : [...candidates, ...waiting];
    }
    if (outcome === "refused" || outcome === "unreachable") failed += 1;
    if (outcome !== "unreachable") continue;
    unreachable += 1;
    if (nowMs() - messageAtMs(queued.message) < maxHoldMs) held.add(group);
  }
  const pending = waiting.length - delivered - unwanted;
  const isEarlyEnd = isEnd() || waiting.length === maxMessages;
  return { delivered, failed, pending: isEarlyEnd ? Math.max(1, pending) : pending };
}

/** A message that was accepted and could not be marked is sent again: at least once, with a stable id. */
async function deliver(
  outbox: Outbox,
  receiver: Receiver,
  { message, tries, nextTryMs }: QueuedMessage,
  nowMs: () => number,
): Promise<"delivered" | "unwanted" | "refused" | "unreachable"> {
  try {
    const isWanted = await send(receiver, message);
    await outbox.record(message, receiver, { state: isWanted ? "delivered" : "unwanted", atMs: nowMs() });
    return isWanted ? "delivered" : "unwanted";
  } catch (error) {
    const atMs = nowMs();
    const outcome = error instanceof RefusedError ? "refused" : "unreachable";
    // Only a try at its own time counts: the oldest message is also tried whenever another one is due.
    if (!isDue(nextTryMs, atMs)) return outcome;
    const failed = { atMs, tries: tries + 1, why: causeOf(error) };
    const result =
      failed.tries >= maxTries
        ? { ...failed, state: "set-aside" as const }
        : { ...failed, state: "waiting" as const, nextTryMs: atMs + retryDelayMs(failed.tries) };
    await outbox.record(message, receiver, result).catch(() => {});
    return outcome;
  }
}

async function send(receiver: Receiver, message: OutboxMessage): Promise<boolean> {
  if (receiver.kind === "metrics") {
    if (message.kind === "metrics") await receiver.send(message.points);
  } else if (message.kind === "alert") {
    if (receiver.wants && !receiver.wants(message.alert)) return false;
    await receiver.send(message.alert);
  }
  return true;
}

/** The message of an error may contain an address, which may be a secret: only its code or name is kept. */
export function causeOf(error: unknown): string {
  if (error instanceof RefusedError || error instanceof UnreachableError) return error.message;
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  const term = [cause?.code, code, name].find((one) => typeof one === "string" && /^\w{1,60}$/.test(one));
  return term === "TimeoutError" ? "timeout" : String(term ?? "error");
}

export type Deliverer = {
  /** Starts a run of every receiver that has none under way, and does not wait for it. */
  start(): void;
  /** Resolves when the runs that are under way have ended. Never rejects. */
  settle(): Promise<void>;
};

/** For a process that stays alive: every receiver has its own runs, so that none waits for another. */
export function createDeliverer(
  outbox: Outbox,
  receivers: readonly Receiver[],
  nowMs: () => number,
): Deliverer {
  const running = new Map<string, Promise<unknown>>();
  /** Receivers whose queue may have grown since their run began. */
  const again = new Set<string>();
  function run(receiver: Receiver): void {
    again.delete(receiver.name);
    const work = outbox
      .subscribe(receivers)
      .then(() => deliverTo(outbox, receiver, nowMs, nowMs() + maxRunMs))
      .catch(() => {})
      .then(() => {
        running.delete(receiver.name);
        if (again.has(receiver.name)) run(receiver);
      });
    running.set(receiver.name, work);
  }
  return {
    start() {
      for (const receiver of receivers) {
        if (running.has(receiver.name)) again.add(receiver.name);
        else run(receiver);
      }
    },
    async settle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
