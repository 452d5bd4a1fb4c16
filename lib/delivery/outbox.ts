// What waits in the outbox leaves it, oldest first, when the other side has accepted it.

import { type Delivery, messageAtMs, type Outbox, type OutboxMessage } from "../ports.ts";
import { incidentOf } from "../records/alert.ts";

/** `pending`: seen and still there, and at least one where the bounds ended the run: the rest waits for the next. */
export type Delivered = { delivered: number; failed: number; pending: number };

const pageMessages = 100;
const maxMessages = 1_000;
const maxRunMs = 20_000;
/** More than one, so that a single message that nobody will ever take does not block those behind it. */
const maxFailures = 3;

/**
 * A message waits behind one of its incident that failed, so that "down" is not the last word after
 * "RESOLVED". Longer than the outage of 3 h that is promised to end well; what nobody has taken by then
 * nobody will ever take, and it holds up nothing more.
 */
const holdsMs = 4 * 3_600_000;

export type Bounds = {
  kinds?: readonly OutboxMessage["kind"][];
  /** No message is begun after it. */
  untilMs?: number;
};

/** Never rejects. A kind that fails does not hold up the other one. */
export async function deliverPending(
  outbox: Outbox,
  delivery: Delivery,
  nowMs: () => number,
  { kinds = ["alert", "metrics"], untilMs = Infinity }: Bounds = {},
): Promise<Delivered> {
  const endMs = Math.min(untilMs, nowMs() + maxRunMs);
  const runs: Delivered[] = [];
  for (const kind of kinds) runs.push(await deliverKind(outbox, delivery, kind, nowMs, endMs));
  const sum = (name: keyof Delivered) => runs.reduce((total, run) => total + run[name], 0);
  return { delivered: sum("delivered"), failed: sum("failed"), pending: sum("pending") };
}

async function deliverKind(
  outbox: Outbox,
  delivery: Delivery,
  kind: OutboxMessage["kind"],
  nowMs: () => number,
  endMs: number,
): Promise<Delivered> {
  const seen = new Set<string>();
  /** Incidents whose next message has to wait for one that failed. */
  const deferred = new Set<string>();
  let delivered = 0;
  let failed = 0;
  const isTimeUp = () => nowMs() >= endMs;
  const isOver = () => failed >= maxFailures || seen.size >= maxMessages || isTimeUp();
  const count = () => ({ delivered, failed, pending: seen.size - delivered });
  while (!isOver()) {
    const page = await outbox.pending(kind, pageMessages).catch(() => undefined);
    if (!page) {
      failed += 1;
      return count();
    }
    const fresh = page.filter(({ id }) => !seen.has(id));
    if (fresh.length === 0) return count();
    for (const message of fresh) {
      seen.add(message.id);
      if (failed >= maxFailures || isTimeUp() || deferred.has(groupOf(message))) continue;
      if (await deliver(outbox, delivery, message)) {
        delivered += 1;
        continue;
      }
      failed += 1;
      if (nowMs() - messageAtMs(message) < holdsMs) deferred.add(groupOf(message));
    }
    // A page that was not full was the last one.
    if (page.length < pageMessages) return count();
  }
  return { ...count(), pending: Math.max(1, seen.size - delivered) };
}

/** Numbers carry their time and may come in any order: each is alone. */
const groupOf = (message: OutboxMessage) =>
  message.kind === "alert" ? incidentOf(message.alert) : message.id;

async function deliver(outbox: Outbox, delivery: Delivery, message: OutboxMessage): Promise<boolean> {
  try {
    if (message.kind === "alert") await delivery.alert(message.alert);
    else await delivery.metrics(message.points);
    await outbox.markDelivered(message);
    return true;
  } catch {
    return false;
  }
}
