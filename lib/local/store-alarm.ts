// While the store cannot save, the outbox cannot keep an alert either: that goes straight to every channel, once, and so does
// its end.
import { asciiLine } from "../assess/alerts/render-alert.ts";
import { monitorAlert } from "../assess/alerts/scheduled-alerts.ts";
import {
  limitedMs,
  limitMessage,
  type MessageCandidate,
  type ToldMessage,
} from "../assess/message-limits.ts";
import { createDeliverer } from "../delivery/outbox.ts";
import type { Receiver } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import { createMemoryOutbox } from "./memory-ports.ts";
import { type Degraded, notStored } from "./watch.ts";

export type StoreAlarm = {
  /** After every tick: `degraded` says what could not be done, and why. */
  note(degraded: Degraded | undefined): void;
  /** Starts what is due, and does not wait for it. */
  deliver(): void;
  settle(): Promise<void>;
};

export function createStoreAlarm(
  channels: readonly Extract<Receiver, { kind: "alert" }>[],
  context: Parameters<typeof monitorAlert>[2],
  nowMs: () => number,
): StoreAlarm {
  // Whatever a channel wants, it gets this: no other alert can reach it now.
  const queues = channels.map(({ name, send, reachesPeople }) => {
    const outbox = createMemoryOutbox();
    return { outbox, ...createDeliverer(outbox, [{ name, kind: "alert", send, reachesPeople }], nowMs) };
  });
  let told: ToldMessage[] = [];
  let incident: string | undefined;

  /** A disk that is full again and again is under the limits of messages, too. */
  function tell(id: string, event: "opened" | "resolved", alert: Alert): boolean {
    const candidate: MessageCandidate = {
      incident: id,
      rule: "store",
      group: "store",
      event,
      severity: "page",
      isWide: true,
      replaces: [],
    };
    const atMs = nowMs();
    told = told.filter((one) => one.incident === incident || atMs - one.atMs < limitedMs);
    if (limitMessage(told, candidate, atMs) !== "send") return false;
    told.push({ ...candidate, atMs, isInSummary: false });
    for (const { outbox, start } of queues)
      void outbox.put([{ id: alert.id, kind: "alert", alert }]).then(start);
    return true;
  }

  return {
    note(degraded) {
      const at = new Date(nowMs()).toISOString();
      // What is stored and cannot be assessed is reported through the outbox.
      const isRefused = degraded?.what === notStored;
      if (isRefused && !incident) {
        const id = `store-cannot-save-${at.slice(0, 19).replace(/[-:]/g, "")}Z`;
        const why = /^[a-z-]{1,20}$/.test(degraded.why) ? degraded.why : "error";
        const what = `${degraded.what[0]?.toUpperCase()}${degraded.what.slice(1)}`;
        const line = `${what} (${why}): no alerts about V1`;
        const opened: Alert = {
          ...monitorAlert(
            id,
            [
              `${line}.`,
              "The checks go on, and the last of them are kept in memory. Free space on the disk, or make the store's file writable.",
            ],
            context,
            nowMs(),
          ),
          severity: "page",
          subject: asciiLine(`[v1watch] PAGE: ${line}`, 100),
        };
        if (tell(id, "opened", opened)) incident = id;
      } else if (!isRefused && incident) {
        const line = "Observations are stored and assessed again";
        const resolved: Alert = {
          ...monitorAlert(
            incident,
            [`${line}. What was kept in memory is saved; alerts follow.`],
            context,
            nowMs(),
          ),
          id: `${incident}/2-resolved`,
          event: "resolved",
          severity: "page",
          subject: `[v1watch] RESOLVED: ${line}`,
        };
        if (tell(incident, "resolved", resolved)) incident = undefined;
      }
    },
    deliver() {
      for (const { start } of queues) start();
    },
    async settle() {
      await Promise.all(queues.map(({ settle }) => settle()));
    },
  };
}
