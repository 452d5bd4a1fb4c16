// A thousand incidents that open and are resolved while sends fail and one channel is dead: each healthy channel gets each
// message, in the order of its incident.
import { createDeliverer } from "../../lib/delivery/outbox.ts";
import { openStore } from "../../lib/local/store/store.ts";
import type { OutboxMessage } from "../../lib/ports.ts";
import { sampleAlert, startMs } from "../local/samples.ts";
import { MINUTE } from "../stories/types.ts";
import { openChannels } from "./channels.ts";
import { countFaults, planFaults } from "./plan.ts";
import { judgeArrivals } from "./watch.ts";

export type IncidentsResult = {
  /** By channel: how many incidents it has seen opened and resolved. */
  arrivals: { channel: string; opened: number; resolved: number }[];
  sends: number;
  failedSends: number;
  waitingInDead: number;
  faults: string[];
};

const dead = "slack";
/** The share of sends that fail or are done and reported as failed. */
const failing = 0.3;
const minutesBetween = 2;
const minutesOpen = 20;
const deliverEveryMs = 15_000;

function messageOf(number: number, event: "opened" | "resolved", atMs: number): OutboxMessage {
  const id = `down-${number}/${event === "opened" ? 1 : 2}-${event}`;
  return { id, kind: "alert", alert: sampleAlert(0, { id, event, at: new Date(atMs).toISOString() }) };
}

export async function sendIncidents(count: number, seed: number, path: string): Promise<IncidentsResult> {
  const clock = { nowMs: startMs };
  const nowMs = () => clock.nowMs;
  const opened = openStore(path, { mode: "own", nowMs });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { outbox, close } = opened.store;
  const plan = planFaults({ seed, share: failing, nowMs });
  const sent = await openChannels(plan, { dead, possible: ["error", "lost-answer"] });
  await outbox.subscribe(sent.channels);
  const deliverer = createDeliverer(outbox, () => sent.channels, nowMs);
  const due = Array.from({ length: count }, (_, number) => {
    const openMs = startMs + number * minutesBetween * MINUTE;
    return [
      messageOf(number, "opened", openMs),
      messageOf(number, "resolved", openMs + minutesOpen * MINUTE),
    ];
  }).flat();
  const atMs = (message: OutboxMessage) => (message.kind === "alert" ? Date.parse(message.alert.at) : 0);
  due.sort((a, b) => atMs(a) - atMs(b));
  const waiting = async (channel: string) => (await outbox.status({ name: channel })).waiting;
  const healthy = sent.channels.map(({ name }) => name).filter((name) => name !== dead);
  const lastMs = atMs(due.at(-1)!);
  try {
    // Retries are 15 minutes apart at the most.
    for (let next = 0; clock.nowMs <= lastMs + 6 * 60 * MINUTE; clock.nowMs += deliverEveryMs) {
      const now = due.slice(next).findIndex((message) => atMs(message) > clock.nowMs);
      const until = now < 0 ? due.length : next + now;
      if (until > next) await outbox.put(due.slice(next, until));
      next = until;
      const counts = await Promise.all(healthy.map(waiting));
      if (next === due.length && counts.every((one) => one === 0)) break;
      if (counts.every((one) => one === 0)) continue;
      deliverer.start();
      await deliverer.settle();
    }
    const ids = new Set(due.map(({ id }) => id));
    const alive = new Map(healthy.map((name) => [name, sent.accepted.get(name) ?? []]));
    const waitingInDead = await waiting(dead);
    const isKept = waitingInDead === due.length && !sent.accepted.has(dead);
    return {
      arrivals: [...alive].map(([channel, list]) => {
        const events = [...new Set(list)].map((id) => id.split("-").at(-1));
        const countOf = (event: string) => events.filter((one) => one === event).length;
        return { channel, opened: countOf("opened"), resolved: countOf("resolved") };
      }),
      sends: [...alive.values()].reduce((sum, list) => sum + list.length, 0),
      failedSends: countFaults(plan),
      waitingInDead,
      faults: [
        ...judgeArrivals(ids, alive, sent.repeated),
        ...(isKept ? [] : [`${waitingInDead} of ${due.length} messages of the dead channel are kept`]),
      ],
    };
  } finally {
    await sent.close();
    close();
  }
}
