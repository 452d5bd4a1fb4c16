// Delivers the messages of the outbox, oldest first. A message is removed when its receiver has accepted it.
import { type Delivery, messageAtMs, type Outbox, type OutboxMessage } from "../ports.ts";

/** `pending`: the messages that were read and not delivered; at least 1 when a limit ended the run early. */
export type DeliveryCounts = { delivered: number; failed: number; pending: number };

const pageMessages = 100;
const maxMessages = 1_000;
const maxRunMs = 20_000;
/** More than one, so that a single message that is always rejected does not block the messages after it. */
const maxFailures = 3;

/**
 * While a message of an incident cannot be delivered, later messages of the same incident wait, so that
 * "down" is never delivered after "RESOLVED". Older messages no longer hold back later ones. The limit is
 * longer than the channel outage of 3 h that delivery must survive without changing the order.
 */
const maxHoldMs = 4 * 3_600_000;

export type DeliveryLimits = {
  kinds?: readonly OutboxMessage["kind"][];
  /** No delivery is started after this time. */
  untilMs?: number;
};

/** Never rejects. A failure of one kind does not delay the other kind. */
export async function deliverPending(
  outbox: Outbox,
  delivery: Delivery,
  nowMs: () => number,
  { kinds = ["alert", "metrics"], untilMs = Infinity }: DeliveryLimits = {},
): Promise<DeliveryCounts> {
  const endMs = Math.min(untilMs, nowMs() + maxRunMs);
  const counts: DeliveryCounts[] = [];
  for (const kind of kinds) counts.push(await deliverKind(outbox, delivery, kind, nowMs, endMs));
  const sum = (name: keyof DeliveryCounts) => counts.reduce((total, count) => total + count[name], 0);
  return { delivered: sum("delivered"), failed: sum("failed"), pending: sum("pending") };
}

async function deliverKind(
  outbox: Outbox,
  delivery: Delivery,
  kind: OutboxMessage["kind"],
  nowMs: () => number,
  endMs: number,
): Promise<DeliveryCounts> {
  const seen = new Set<string>();
  /** Incidents with a failed message, whose later messages have to wait. */
  const deferred = new Set<string>();
  let delivered = 0;
  let failed = 0;
  const isTimeUp = () => nowMs() >= endMs;
  const isLimitReached = () => failed >= maxFailures || seen.size >= maxMessages || isTimeUp();
  const count = () => ({ delivered, failed, pending: seen.size - delivered });
  while (!isLimitReached()) {
    const page = await outbox.pending(kind, pageMessages).catch(() => undefined);
    if (!page) {
      failed += 1;
      return count();
    }
    const unseen = page.filter(({ id }) => !seen.has(id));
    if (unseen.length === 0) return count();
    for (const message of unseen) {
      seen.add(message.id);
      if (failed >= maxFailures || isTimeUp() || deferred.has(incidentOf(message))) continue;
      if (await deliver(outbox, delivery, message)) {
        delivered += 1;
        continue;
      }
      failed += 1;
      if (nowMs() - messageAtMs(message) < maxHoldMs) deferred.add(incidentOf(message));
    }
    // A page that is not full is the last one.
    if (page.length < pageMessages) return count();
  }
  return { ...count(), pending: Math.max(1, seen.size - delivered) };
}

/** Metrics contain their timestamps and may arrive in any order, so each message is its own group. */
const incidentOf = (message: OutboxMessage) =>
  message.kind === "alert" ? message.alert.incident : message.id;

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
