// What people said about an incident: the page and the command line show the same.
import { describe, expect, test } from "vitest";
import { freshState, isMuted } from "../../lib/assess/state.ts";
import { findDecisions, readIncidents } from "../../lib/local/page/incidents.ts";
import type { Decision, Incident } from "../../lib/records/incident.ts";

const nowMs = Date.parse("2026-11-03T01:00:00.000Z");
const down: Incident = {
  ...{
    schema: "v1watch/incident/1",
    id: "down",
    cause: "down",
    class: "503",
    severity: "page",
    state: "open",
  },
  since: "2026-11-03T00:00:00.000Z",
  openedAt: "2026-11-03T00:05:00.000Z",
  lastBadAt: "2026-11-03T00:55:00.000Z",
  ...{ confirmations: 2, recoveries: 0, failed: 2, flaps: 0 },
  ...{ endpoints: ["passport"], evidence: ["all requests answer 503"] },
};
const decide = (kind: Decision["kind"], at: string, more: Partial<Decision> = {}): Decision => ({
  ...{ schema: "v1watch/decision/1", kind, subject: "down", reason: "known maintenance", at, ...more },
});
const shown = (...decisions: Decision[]) => findDecisions(down, decisions, nowMs);
const onPage = (...decisions: Decision[]) =>
  readIncidents({ ...freshState(), incidents: { down: { incident: down } } }, decisions, nowMs).open[0]
    ?.decision;

describe("a mute", () => {
  test("shows for as long as it silences, also on an incident that began after it", () => {
    for (const until of [
      "2026-11-09T00:00:00.000Z",
      "2026-11-03T01:00:00.000Z",
      "2026-11-02T12:00:00.000Z",
    ]) {
      const mute = decide("mute", "2026-11-02T00:00:00.000Z", { until });
      expect(shown(mute).length > 0).toBe(isMuted([mute], "down", nowMs));
    }
    expect(shown(decide("mute", "2026-11-03T02:00:00.000Z"))).toEqual([]);
    expect(shown(decide("mute", "2026-11-03T00:30:00.000Z", { subject: "slow" }))).toEqual([]);
  });

  test("stays on the page beside an ack that came after it", () => {
    const mute = decide("mute", "2026-11-02T00:00:00.000Z", { until: "2026-11-09T00:00:00.000Z" });
    expect(onPage(mute)).toBe("muted until 2026-11-09 00:00 UTC: known maintenance");
    expect(onPage(mute, decide("ack", "2026-11-03T00:30:00.000Z", { reason: "Ann looks" }))).toBe(
      "acknowledged: Ann looks; muted until 2026-11-09 00:00 UTC: known maintenance",
    );
  });

  test("counts until the next one of its subject: a shorter one shortens it, or ends it", () => {
    const long = decide("mute", "2026-11-02T00:00:00.000Z", { until: "2026-11-09T00:00:00.000Z" });
    const shorter = decide("mute", "2026-11-02T01:00:00.000Z", { until: "2026-11-04T00:00:00.000Z" });
    const over = decide("mute", "2026-11-03T00:30:00.000Z", { until: "2026-11-03T00:31:00.000Z" });
    for (const both of [
      [long, shorter],
      [shorter, long],
    ]) {
      expect(shown(...both)).toEqual([shorter]);
      expect(onPage(...both)).toBe("muted until 2026-11-04 00:00 UTC: known maintenance");
      expect(isMuted(both, "down", nowMs)).toBe(true);
      expect(isMuted(both, "down", Date.parse("2026-11-05T00:00:00.000Z"))).toBe(false);
      expect(isMuted(both, "down", Date.parse("2026-11-02T00:30:00.000Z"))).toBe(true);
    }
    expect(isMuted([long, over], "down", nowMs)).toBe(false);
    expect(shown(long, over)).toEqual([]);
    expect(isMuted([long, { ...over, subject: "slow" }], "down", nowMs)).toBe(true);
  });
});

test("an ack is about one incident, and not about the next one of its cause", () => {
  const old = decide("ack", "2026-11-02T00:00:00.000Z");
  const own = decide("ack", "2026-11-03T00:30:00Z", { reason: "Ann looks" });
  expect(shown(old, own)).toEqual([own]);
  expect(shown(decide("ack", down.since))).toHaveLength(1);
  expect(onPage(old)).toBeUndefined();
  expect(onPage(old, own)).toBe("acknowledged: Ann looks");
});
