// Fills a store from the watch.json of a fixture, with observations up to now.

import { assess } from "../../../lib/assess/assess.ts";
import { drillAlert } from "../../../lib/assess/text/scheduled-alerts.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import type { Finding } from "../../../lib/records/observation.ts";
import { acceptedByReceiver } from "../../../lib/records/receipt.ts";
import { dayMs, hourMs, tickOf } from "../../assess/observation-builder.ts";
import { shippedSettings } from "../../config/shipped.ts";

export type WatchFixture = {
  silentHours: number;
  sunsetInDays: number;
  /** Paths of passport fields whose type changed from number to string. */
  drift: string[];
  drillDaysAgo: number | null;
  /** So many of the last ticks, half an hour apart, get a 410. */
  goneTicks?: number;
};

const retyped = (path: string): Finding => ({
  id: `passport ${path} retyped string`,
  path,
  kind: "retyped",
  expected: "number",
  observed: "string",
  count: 1,
  of: 1,
  level: "breaking",
});

export async function fillStore(path: string, fixture: WatchFixture): Promise<void> {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { store } = opened;
  const endMs = Date.now() - fixture.silentHours * hourMs;
  // The time is noon, so that the number of days left does not depend on the hour of the test.
  const sunsetMs = Math.floor(Date.now() / dayMs + fixture.sunsetInDays) * dayMs + dayMs / 2;
  const ticks = 12;
  for (let tick = 0; tick < ticks; tick++) {
    const atMs = endMs - (ticks - 1 - tick) * 30 * 60_000;
    const notices = { sunset: new Date(sunsetMs).toISOString() };
    const isGone = tick >= ticks - (fixture.goneTicks ?? 0);
    for (const observation of tickOf(atMs, isGone ? { status: 410 } : { notices })) {
      const isDrifting = tick >= 6 && !isGone && observation.endpoint === "passport";
      const findings = isDrifting ? fixture.drift.map(retyped) : [];
      const evidence = [{ gap: "2.6-null" as const, subject: observation.endpoint, of: 1, answers: {} }];
      await store.ledger.append({ ...observation, findings, evidence });
    }
  }
  if (fixture.drillDaysAgo !== null) {
    const alert = drillAlert(new Date(Date.now() - fixture.drillDaysAgo * dayMs).toISOString());
    await store.outbox.recordDrill(alert, [
      { name: "on-call", reachesPeople: true, receipts: acceptedByReceiver() },
    ]);
  }
  const { decisions: _, ...settings } = shippedSettings;
  await store.ledger.saveSettings(settings);
  const nowMs = () => endMs;
  await assess({ nowMs, readKey: async () => ({ kind: "none" }), ...store, receivers: [] }, settings);
  store.close();
}
