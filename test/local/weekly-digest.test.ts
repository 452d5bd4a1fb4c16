// The weekly digest of a watch on one machine: the report's first page, sent through the channels.
import { expect, onTestFinished, test } from "vitest";
import type { Alert } from "../../lib/records/alert.ts";
import { digestReport } from "../../lib/report/digest.ts";
import { buildReport } from "../../lib/report/model.ts";
import { fullInput } from "../report/full-input.ts";
import { startRig } from "./monitor-rig.ts";
import { acceptAlerts } from "./receivers.ts";

test("The report's first page is sent on Mondays from the team's hour on, once, and not by a watch of less than a day", async () => {
  const clock = { nowMs: 0 };
  const sent: Alert[] = [];
  const report = buildReport(fullInput());
  let attempts = 0;
  const rig = await startRig({
    channels: [{ ...acceptAlerts((alert) => sent.push(alert)), type: "webhook" }],
    nowMs: () => clock.nowMs,
    async composeDigest() {
      attempts += 1;
      if (attempts === 2) throw new Error("a file of the team cannot be read");
      const until = new Date(clock.nowMs).toISOString().slice(0, 10);
      return digestReport({ ...report, period: { ...report.period, until } }, "v1watch report");
    },
  });
  onTestFinished(() => rig.stop());
  const isWeekly = ({ id }: Alert) => id.startsWith("report-");
  const checkAt = async (text: string) => {
    clock.nowMs = Date.parse(`${text}:00Z`);
    // What the first check composes is delivered by the next one at the latest.
    for (let check = 0; check < 3; check += 1, clock.nowMs += 60_000) await rig.monitor.once();
    return sent.filter(isWeekly).map(({ id }) => id);
  };
  expect(await checkAt("2026-11-09T12:00")).toEqual([]);
  expect(await checkAt("2026-11-10T12:00")).toEqual([]);
  expect(await checkAt("2026-11-16T08:50")).toEqual([]);
  expect(attempts).toBe(0);
  expect(await checkAt("2026-11-16T09:00")).toEqual(["report-20261116/1-digest"]);
  expect(await checkAt("2026-11-17T08:00")).toEqual(["report-20261116/1-digest"]);
  expect(attempts).toBe(1);
  // The second digest cannot be composed at first.
  expect(await checkAt("2026-11-23T09:00")).toEqual(["report-20261116/1-digest", "report-20261123/1-digest"]);
  expect(attempts).toBe(3);
});
