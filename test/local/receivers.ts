// Receivers for tests: they accept everything, or nothing while `isOut`.
import type { Outbox, OutboxMessage, QueuedMessage, Receiver } from "../../lib/ports.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { MetricPoint } from "../../lib/records/metric-point.ts";

const refuse = () => {
  throw new Error("throttled");
};

export const acceptAlerts = (
  onAlert: (alert: Alert) => unknown = () => {},
  isOut = () => false,
): Extract<Receiver, { kind: "alert" }> => ({
  name: "alerts",
  kind: "alert",
  reachesPeople: true,
  send: async (alert) => void (isOut() ? refuse() : onAlert(alert)),
});

export const acceptMetrics = (
  onPoints: (points: readonly MetricPoint[]) => unknown = () => {},
  isOut = () => false,
): Extract<Receiver, { kind: "metrics" }> => ({
  name: "metrics",
  kind: "metrics",
  send: async (points) => void (isOut() ? refuse() : onPoints(points)),
});

export const receivers = [acceptAlerts(), acceptMetrics()];

export const queueOf = (kind: OutboxMessage["kind"]) => (kind === "alert" ? acceptAlerts() : acceptMetrics());

export const pendingIn = async (outbox: Outbox, kind: OutboxMessage["kind"], limit = 100) =>
  (await outbox.pending(queueOf(kind), limit)).map(({ message }) => message);

export const markDelivered = (outbox: Outbox, message: OutboxMessage) =>
  outbox.record(message, queueOf(message.kind), { state: "delivered", atMs: 0 });

/** An outbox in memory with one receiver for each kind. */
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
    pending: async ({ kind }, limit) =>
      [...waiting.values()].filter(({ message }) => message.kind === kind).slice(0, limit),
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
