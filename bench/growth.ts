// Work per tick with twice the history: messages of ended incidents, each delivered to the page and one channel. A monitor
// that has told much must not take longer for a tick than one that has told little.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assess } from "../lib/assess/assess.ts";
import { assessmentSettings } from "../lib/config/assessment-settings.ts";
import { loadConfig } from "../lib/config/config.ts";
import { createDeliverer } from "../lib/delivery/outbox.ts";
import type { Store } from "../lib/local/store/store.ts";
import type { Ports, Receiver } from "../lib/ports.ts";
import type { Alert } from "../lib/records/alert.ts";
import { acceptedByReceiver } from "../lib/records/receipt.ts";
import { sampleAlert } from "../test/local/samples.ts";
import { createYear, openOwn } from "./report-year.ts";
import { median, type Row, row } from "./table.ts";

const ticks = 25;

const receiverOf = (name: string): Receiver => ({
  name,
  reachesPeople: name !== "page",
  send: async () => acceptedByReceiver(),
});
const receivers = ["page", "on-call"].map(receiverOf);

/** An OPENED and a RESOLVED for every incident, told and accepted in the last hundred days. */
export async function tellIncidents({ outbox, history }: Store, count: number, nowMs: number): Promise<void> {
  await outbox.subscribe(receivers);
  for (let from = 0; from < count; from += 500) {
    const alerts = Array.from({ length: Math.min(500, count - from) }, (_, index): Alert[] => {
      const at = new Date(nowMs - (count - from - index) * 60_000).toISOString();
      const incident = `down-${from + index}`;
      return [
        sampleAlert(1, { id: `${incident}/1-opened`, at }),
        sampleAlert(1, { id: `${incident}/2-resolved`, event: "resolved", at }),
      ];
    }).flat();
    const messages = alerts.map((alert) => ({ id: alert.id, kind: "alert" as const, alert }));
    await outbox.put(messages);
    for (const message of messages)
      for (const receiver of receivers)
        await outbox.record(message, receiver, {
          state: "delivered",
          atMs: nowMs,
          receipts: acceptedByReceiver(),
        });
    for (const alert of alerts) history.saveSentAlert(alert);
  }
}

/** What a tick does besides its requests: the processor time in milliseconds, as a median. */
export async function measureTick(store: Store): Promise<number> {
  const loaded = loadConfig({ fileText: '{"baseUrl":"https://api.example.com"}', env: {}, flags: {} });
  if (!loaded.ok) throw new Error("the configuration of the benchmark is invalid");
  const settings = assessmentSettings(loaded.config);
  const ports: Ports = {
    nowMs: Date.now,
    readKey: async () => ({ kind: "none" }),
    ledger: store.ledger,
    outbox: store.outbox,
    receivers: [],
  };
  const deliverer = createDeliverer(store.outbox, () => receivers, Date.now);
  const memory = {};
  const taken: number[] = [];
  for (let tick = 0; tick < ticks; tick += 1) {
    const before = process.cpuUsage();
    await assess(ports, settings, memory);
    deliverer.start();
    await deliverer.settle();
    for (const receiver of receivers) await store.outbox.status(receiver);
    await store.outbox.undelivered();
    const { user, system } = process.cpuUsage(before);
    taken.push((user + system) / 1_000);
  }
  return median(taken);
}

const measureHistory = async (days: number, incidents: number): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const path = join(folder, "watch.db");
  try {
    await createYear(path, Date.now() - 60_000, days);
    const store = openOwn(path);
    await tellIncidents(store, incidents, Date.now());
    const ms = await measureTick(store);
    store.close();
    return ms;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export async function benchGrowth(): Promise<Row[]> {
  const once = await measureHistory(20, 2_000);
  const messages = await measureHistory(20, 4_000);
  const days = await measureHistory(40, 2_000);
  return [
    row("a tick after 20 days with 4,000 messages: processor time", once, "ms", 50),
    row("the same with 8,000 messages", messages / once, "times", 1.2),
    row("the same after 40 days", days / once, "times", 1.2),
  ];
}
