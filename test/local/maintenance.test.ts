// Maintenance windows that come once, from the configuration and from the page: what is sent in them, and what is not.
import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../lib/config/config.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { hourMs, minuteMs } from "../../lib/time.ts";
import { startRig } from "./monitor-rig.ts";
import { acceptAlerts } from "./receivers.ts";

const token = "a-token-for-the-tests";

async function startWatch(maintenance: Config["maintenance"] = []) {
  const clock = { nowMs: Date.parse("2026-11-15T12:00:00Z") };
  const sent: Alert[] = [];
  const rig = await startRig({
    token,
    maintenance,
    channels: [{ ...acceptAlerts((alert) => sent.push(alert)), type: "webhook" }],
    nowMs: () => clock.nowMs,
  });
  onTestFinished(() => rig.stop());
  const check = async (times: number) => {
    for (let tick = 0; tick < times; tick += 1, clock.nowMs += minuteMs) await rig.monitor.once();
  };
  const decide = async (body: object) => {
    const response = await fetch(`${rig.url}/api/decisions`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: JSON.stringify({ subject: "everything", reason: "the database moves", ...body }),
    });
    const { error } = (await response.json()) as { error?: string };
    return `${response.status}${error === undefined ? "" : ` ${error}`}`;
  };
  const health = async () => (await fetch(`${rig.url}/healthz`)).text();
  const at = (ms: number) => new Date(clock.nowMs + ms).toISOString();
  const events = () => sent.map(({ event, rule }) => `${rule} ${event}`);
  await check(2);
  return { rig, clock, check, decide, health, at, events };
}

test("A maintenance window from the page holds back what is new, and not the RESOLVED of what was announced.", async () => {
  const { rig, check, decide, health, at, events } = await startWatch();
  rig.simulation.inject("status", undefined);
  await check(7);
  expect(events()).toEqual(["down opened"]);
  expect(await decide({ kind: "mute", until: at(4 * hourMs) })).toBe("200");
  expect(await health()).toContain(
    "Maintenance until 2026-11-15 16:09 UTC (the database moves): only the RESOLVED of what was announced before is sent.",
  );
  rig.simulation.clear();
  await check(7);
  expect(events()).toEqual(["down opened", "down resolved"]);
  rig.simulation.inject("status", undefined);
  await check(8);
  expect(events()).toEqual(["down opened", "down resolved"]);
  // What still fires when it is over is announced then.
  expect(await decide({ kind: "unmute" })).toBe("200");
  expect(await health()).not.toContain("Maintenance");
  await check(2);
  expect(events()).toEqual(["down opened", "down resolved", "down opened"]);
});

test("A maintenance window that comes once in the configuration does not hold back the RESOLVED of what was announced.", async () => {
  const window = { start: "2026-11-15T12:09:00Z", end: "2026-11-15T16:00:00Z" };
  const { rig, clock, check, events } = await startWatch([window]);
  rig.simulation.inject("status", undefined);
  await check(7);
  expect([events(), new Date(clock.nowMs).toISOString()]).toEqual([
    ["down opened"],
    "2026-11-15T12:09:00.000Z",
  ]);
  rig.simulation.clear();
  await check(7);
  rig.simulation.inject("status", undefined);
  await check(8);
  expect(events()).toEqual(["down opened", "down resolved"]);
});

test("A maintenance window from the page can be planned and called off, and is refused without the token or an end.", async () => {
  const { rig, check, clock, decide, health, at, events } = await startWatch();
  const planned = { kind: "mute", from: at(hourMs), until: at(2 * hourMs) };
  expect(await decide(planned)).toBe("200");
  expect(await health()).toContain(
    "Maintenance is planned from 2026-11-15 13:02 UTC to 2026-11-15 14:02 UTC: the database moves",
  );
  clock.nowMs += 90 * minuteMs;
  expect(await health()).toContain("Maintenance until 2026-11-15 14:02 UTC");
  clock.nowMs -= 90 * minuteMs;
  expect(await decide({ kind: "unmute" })).toBe("200");
  expect(await health()).not.toContain("Maintenance");
  expect(await decide({ kind: "unmute" })).toBe("409 no maintenance window is open or planned");
  const needsEnd = "409 a maintenance window needs an end after its start and after now";
  expect(await decide({ kind: "mute" })).toBe(needsEnd);
  expect(await decide({ kind: "mute", from: at(2 * hourMs), until: at(hourMs) })).toBe(needsEnd);
  expect(await decide({ kind: "mute", until: at(200 * 24 * hourMs) })).toContain("at most 180 days");
  expect(await decide({ kind: "ack" })).toContain("409 only incidents");
  const anonymous = await fetch(`${rig.url}/api/decisions`, {
    method: "POST",
    body: JSON.stringify(planned),
  });
  expect(anonymous.status).toBe(401);
  // A window that was called off holds back nothing.
  clock.nowMs += 65 * minuteMs;
  rig.simulation.inject("status", undefined);
  await check(8);
  expect(events()).toContain("down opened");
});
