// Acknowledgements and mutes of incidents, as the page and the command line show them.
import { describe, expect, test } from "vitest";
import { freshState } from "../../lib/assess/state.ts";
import { findDecisions, readIncidents } from "../../lib/local/dashboard/incidents.ts";
import type { Decision, Incident } from "../../lib/records/incident.ts";
import { isMuted } from "../../lib/records/incident.ts";

const nowMs = Date.parse("2026-11-03T01:00:00.000Z");
const down: Incident = {
  schema: "v1watch/incident/3",
  id: "down-passport-20261103T0000Z",
  rule: "down",
  scope: "endpoint",
  endpoints: ["passport"],
  severity: "page",
  state: "firing",
  key: "down",
  sent: [],
  since: "2026-11-03T00:00:00.000Z",
  openedAt: "2026-11-03T00:05:00.000Z",
  facts: {
    rule: "down",
    scope: "endpoint",
    endpoints: ["passport"],
    bad: 4,
    total: 4,
    windowSeconds: 3_300,
    firstBadAt: "2026-11-03T00:00:00.000Z",
    lastGoodBeforeAt: null,
    lastBadAt: "2026-11-03T00:55:00.000Z",
    firstGoodAfterAt: null,
    responses: { "503": 4 },
  },
};
const decide = (kind: Decision["kind"], at: string, more: Partial<Decision> = {}): Decision => ({
  schema: "v1watch/decision/1",
  kind,
  subject: down.id,
  reason: "known maintenance",
  at,
  ...more,
});
const applying = (...decisions: Decision[]) => findDecisions(down, decisions, nowMs);
const onPage = (...decisions: Decision[]) =>
  readIncidents({ ...freshState(), incidents: [down] }, decisions, nowMs).open[0]?.decision;

describe("a mute", () => {
  test("A mute is shown while it is active, also on an incident that began after it", () => {
    for (const until of [
      "2026-11-09T00:00:00.000Z",
      "2026-11-03T01:00:00.000Z",
      "2026-11-02T12:00:00.000Z",
    ]) {
      const mute = decide("mute", "2026-11-02T00:00:00.000Z", { until });
      expect(applying(mute).length > 0).toBe(isMuted([mute], down.id, nowMs));
    }
    expect(applying(decide("mute", "2026-11-03T02:00:00.000Z"))).toEqual([]);
    expect(applying(decide("mute", "2026-11-03T00:30:00.000Z", { subject: "slow" }))).toEqual([]);
  });

  test("A mute stays on the page together with a later acknowledgement", () => {
    const mute = decide("mute", "2026-11-02T00:00:00.000Z", { until: "2026-11-09T00:00:00.000Z" });
    expect(onPage(mute)).toBe("muted until 2026-11-09 00:00 UTC: known maintenance");
    expect(onPage(mute, decide("ack", "2026-11-03T00:30:00.000Z", { reason: "Ann investigates" }))).toBe(
      "acknowledged: Ann investigates; muted until 2026-11-09 00:00 UTC: known maintenance",
    );
  });

  test("A mute is replaced by the next mute of its subject, which can shorten or end it", () => {
    const long = decide("mute", "2026-11-02T00:00:00.000Z", { until: "2026-11-09T00:00:00.000Z" });
    const shorter = decide("mute", "2026-11-02T01:00:00.000Z", { until: "2026-11-04T00:00:00.000Z" });
    const expired = decide("mute", "2026-11-03T00:30:00.000Z", { until: "2026-11-03T00:31:00.000Z" });
    for (const mutes of [
      [long, shorter],
      [shorter, long],
    ]) {
      expect(applying(...mutes)).toEqual([shorter]);
      expect(onPage(...mutes)).toBe("muted until 2026-11-04 00:00 UTC: known maintenance");
      expect(isMuted(mutes, down.id, nowMs)).toBe(true);
      expect(isMuted(mutes, down.id, Date.parse("2026-11-05T00:00:00.000Z"))).toBe(false);
      expect(isMuted(mutes, down.id, Date.parse("2026-11-02T00:30:00.000Z"))).toBe(true);
    }
    expect(isMuted([long, expired], down.id, nowMs)).toBe(false);
    expect(applying(long, expired)).toEqual([]);
    expect(isMuted([long, { ...expired, subject: "slow" }], down.id, nowMs)).toBe(true);
  });
});

test("A mute of the rule applies to every incident of it", () => {
  const mute = decide("mute", "2026-11-02T00:00:00.000Z", {
    subject: "down",
    until: "2026-11-09T00:00:00.000Z",
  });
  expect(applying(mute)).toEqual([mute]);
});

test("An acknowledgement applies to one incident and not to the next one of its rule", () => {
  const old = decide("ack", "2026-11-02T00:00:00.000Z", { subject: "down-passport-20261102T0000Z" });
  const own = decide("ack", "2026-11-03T00:30:00Z", { reason: "Ann investigates" });
  expect(applying(old, own)).toEqual([own]);
  expect(onPage(old)).toBeUndefined();
  expect(onPage(old, own)).toBe("acknowledged: Ann investigates");
});
