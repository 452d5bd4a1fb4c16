// While the store cannot save, the outbox cannot keep an alert either: that it cannot save goes straight to every channel,
// once, and so does its recovery.
import { asciiLine } from "../assess/alerts/render-alert.ts";
import { monitorAlert } from "../assess/alerts/scheduled-alerts.ts";
import { createDeliverer } from "../delivery/outbox.ts";
import type { Receiver } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import { dayMs } from "../time.ts";
import { openMemoryStore } from "./store/store.ts";
import { type Degraded, notStored } from "./watch.ts";

export type StoreAlarm = {
  /** After every tick: `degraded` says why not everything could be saved. */
  note(degraded: Degraded | undefined): void;
  /** Starts what is due, and does not wait for it. */
  deliver(): void;
  settle(): Promise<void>;
};

/** A disk that is full again and again is reported this often; the page and /healthz say it all the time. */
const maxOpeningsADay = 3;

export function createStoreAlarm(
  channels: readonly Receiver[],
  context: Parameters<typeof monitorAlert>[2],
  nowMs: () => number,
): StoreAlarm {
  // Whatever a channel wants, it gets this: no other alert can reach it now.
  const receivers = channels.map(({ name, send, reachesPeople }) => ({ name, send, reachesPeople }));
  const { outbox } = openMemoryStore(nowMs);
  const deliverer = createDeliverer(outbox, receivers, nowMs);
  let incident: string | undefined;
  let openingsMs: number[] = [];

  function send(alert: Alert): void {
    void outbox.put([{ id: alert.id, kind: "alert", alert }]).then(deliverer.start);
  }

  return {
    note(degraded) {
      const at = new Date(nowMs()).toISOString();
      const isFull = degraded?.what === notStored;
      openingsMs = openingsMs.filter((ms) => nowMs() - ms < dayMs);
      if (isFull && !incident && openingsMs.length < maxOpeningsADay) {
        const id = `store-cannot-save-${at.slice(0, 19).replace(/[-:]/g, "")}Z`;
        const why = /^[a-z-]{1,20}$/.test(degraded.why) ? degraded.why : "error";
        const line = `The store cannot save (${why}): no alert about V1 can be sent`;
        const opened: Alert = {
          ...monitorAlert(
            id,
            [
              `${line}.`,
              "The checks go on, and those of the last ticks are kept in memory. Free space on the disk, or make the store's file writable.",
            ],
            context,
            nowMs(),
          ),
          severity: "page",
          subject: asciiLine(`[v1watch] PAGE: ${line}`, 100),
        };
        send(opened);
        openingsMs.push(nowMs());
        incident = id;
      } else if (!isFull && incident) {
        const line = "The store saves again";
        const resolved: Alert = {
          ...monitorAlert(
            incident,
            [`${line}. What was kept in memory is saved, and alerts follow.`],
            context,
            nowMs(),
          ),
          id: `${incident}/2-resolved`,
          event: "resolved",
          severity: "page",
          subject: `[v1watch] RESOLVED: ${line}`,
        };
        send(resolved);
        incident = undefined;
      }
    },
    deliver: deliverer.start,
    settle: deliverer.settle,
  };
}
