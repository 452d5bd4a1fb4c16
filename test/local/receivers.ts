// Receivers for tests: they accept everything, or nothing while `isOut`.
import type { Outbox, OutboxMessage, QueuedMessage, Receiver } from "../../lib/ports.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";

const refuse = () => {
  throw new Error("throttled");
};

export const acceptAlerts = (
  onAlert: (alert: Alert) => unknown = () => {},
  isOut = () => false,
): Receiver => ({
  name: "alerts",
  reachesPeople: true,
  async send(alert) {
    if (isOut()) refuse();
    onAlert(alert);
    return acceptedByReceiver();
  },
});

export const deliveredAt = (atMs: number) =>
  ({ state: "delivered", atMs, receipts: acceptedByReceiver() }) as const;

export const pendingIn = async (outbox: Outbox, limit = 100) =>
  (await outbox.pending(acceptAlerts(), limit)).map(({ message }) => message);

export const markDelivered = (outbox: Outbox, message: OutboxMessage) =>
  outbox.record(message, acceptAlerts(), deliveredAt(0));

/** An outbox in memory with one receiver. */
export function openMemoryOutbox(messages: readonly OutboxMessage[] = []) {
  const known = new Set<string>();
  const waiting = new Map<string, QueuedMessage>();
  const setAside: string[] = [];
  const outbox: Outbox = {
    async put(given) {
      for (const message of given) {
        if (!known.has(message.id)) waiting.set(message.id, { message, tries: 0, nextTryMs: 0 });
        known.add(message.id);
      }
      return { kind: "kept" };
    },
    async subscribe() {},
    announced: async () => [],
    lastEnd: async () => 0,
    pending: async (_receiver, limit) => [...waiting.values()].slice(0, limit),
    async record(message, _receiver, result) {
      if (result.state === "waiting") waiting.set(message.id, { message, ...result });
      else waiting.delete(message.id);
      if (result.state === "set-aside") setAside.push(message.id);
    },
    undelivered: async () => ({ count: 0, oldestMs: undefined }),
    status: async () => ({ waiting: waiting.size, setAside: [] }),
  };
  void outbox.put(messages);
  return { outbox, waiting, setAside };
}
