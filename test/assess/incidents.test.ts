import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeLength } from "../../lib/assess/alerts/cause-texts.ts";
import { policies } from "../../lib/assess/incident-policies.ts";
import {
  advanceIncidents,
  endOf,
  type IncidentEvent,
  type Incidents,
  type Signal,
} from "../../lib/assess/incidents.ts";
import { type Cause, incident as incidentSchema, type Severity } from "../../lib/records/incident.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startMs = Date.parse("2026-11-15T02:40:00Z");
const nobody = () => false;

const signal = (cause: Cause, bad: boolean | undefined, over: Partial<Signal> = {}): Signal => ({
  cause,
  bad,
  class: "503",
  severity: "page",
  endpoints: ["passport-list"],
  evidence: ["it was seen"],
  ...over,
});

type Step = { afterMs: number; signals: Signal[] };

function play(steps: readonly Step[], isMuted: (id: string) => boolean = nobody) {
  const incidents: Incidents = { incidents: {}, resolved: [] };
  const events: IncidentEvent[] = [];
  let atMs = startMs;
  for (const { afterMs, signals } of steps) {
    atMs += afterMs;
    events.push(...advanceIncidents(incidents, signals, atMs, isMuted));
    for (const { incident } of Object.values(incidents.incidents)) incidentSchema.parse(incident);
  }
  return { ...incidents, events, told: events.map(({ event, incident }) => `${event} ${incident.id}`) };
}

const every = (afterMs: number, ...rows: Signal[][]): Step[] => rows.map((signals) => ({ afterMs, signals }));

describe("an incident", () => {
  test("opens only after its confirmations, and not after a single bad tick", () => {
    const bad = signal("access/key-revoked", true);
    const good = signal("access/key-revoked", false);
    expect(play(every(minuteMs, [bad], [good], [bad], [good])).told).toEqual([]);
    expect(play(every(minuteMs, [bad], [bad])).told).toEqual(["opened access/key-revoked"]);
  });

  test("resolves with its own threshold and one alert", () => {
    const bad = signal("down", true);
    const good = signal("down", false);
    const { told, incidents } = play(every(minuteMs, [bad], [good], [bad], [good], [good], [good]));
    expect(told).toEqual(["opened down", "resolved down"]);
    expect(incidents.down?.incident).toMatchObject({ state: "resolved", failed: 2 });
  });

  test("lasts from the first bad response to the first good one, however long the confirmation takes", () => {
    const bad = signal("down", true);
    const good = signal("down", false);
    const { incidents } = play(every(30 * minuteMs, [bad], [good], [bad], [bad], [good], [good]));
    const { incident } = incidents.down!;
    expect(endOf(incident)).toBe(new Date(startMs + 5 * 30 * minuteMs).toISOString());
    expect(describeLength(incident, startMs + 9 * hourMs)).toBe("2 h");
    const open = play(every(30 * minuteMs, [bad], [good], [bad], [good])).incidents.down!.incident;
    expect(endOf(open)).toBeUndefined();
    expect(describeLength(open, startMs + 9 * hourMs)).toBe("8 h 30 min");
  });

  test("ends when another cause supersedes it", () => {
    const down = [signal("down", true), signal("retirement/gone", false)];
    const gone = [signal("down", undefined), signal("retirement/gone", true, { class: "410" })];
    const { incident } = play(every(hourMs, down, down, gone, gone)).incidents.down!;
    expect(endOf(incident)).toBe(new Date(startMs + 4 * hourMs).toISOString());
  });

  test("is neither confirmed nor resolved by a tick without information", () => {
    const rows = [
      [signal("down", true)],
      [signal("down", undefined)],
      [signal("down", false)],
      [signal("down", undefined)],
    ];
    expect(play(every(minuteMs, ...rows)).told).toEqual(["opened down"]);
  });

  test("sends an alert for a new class while it is open", () => {
    const rows = [
      [signal("retirement/gone", true, { class: "410" })],
      [signal("retirement/gone", true, { class: "410" })],
      [signal("retirement/gone", true, { class: "404" })],
    ];
    expect(play(every(hourMs, ...rows)).told).toEqual(["opened retirement/gone", "changed retirement/gone"]);
  });

  test("sends an alert for a higher severity and none for a lower one", () => {
    const rows = (["warning", "page", "warning"] as Severity[]).map((severity) => [
      signal("down", true, { severity }),
    ]);
    expect(play(every(hourMs, ...rows)).told).toEqual(["opened down", "escalated down"]);
  });

  test("changes its cause and does not recover when 503 becomes 410", () => {
    const down = [signal("down", true), signal("retirement/gone", false)];
    const gone = [signal("down", undefined), signal("retirement/gone", true, { class: "410" })];
    const { told, incidents } = play(every(hourMs, down, down, gone, gone, gone));
    expect(told).toEqual(["opened down", "changed retirement/gone"]);
    expect(incidents.down?.incident).toMatchObject({ state: "resolved", supersededBy: "retirement/gone" });
  });

  test("sends an alert again when it returns after it was superseded", () => {
    const down = [signal("down", true), signal("retirement/gone", false)];
    const gone = [signal("down", undefined), signal("retirement/gone", true, { class: "410" })];
    const { told } = play(every(20 * minuteMs, down, gone, gone, down, down, down, down));
    expect(told.filter((line) => line === "opened down")).toHaveLength(2);
  });

  test("of drift or staleness is inhibited while V1 is down, and reported afterwards", () => {
    const drift = signal("drift/breaking", true, { class: "score" });
    const both = [signal("down", true), drift];
    const over = [signal("down", false), drift];
    const { told } = play(every(hourMs, both, both, over, over));
    expect(told).toEqual(
      ["opened down", "resolved down", "opened drift/breaking"].sort(
        (a, b) => told.indexOf(a) - told.indexOf(b),
      ),
    );
    expect(told[0]).toBe("opened down");
    expect(told.indexOf("opened drift/breaking")).toBeGreaterThan(0);
  });

  test("of one endpoint neither keeps open nor inhibits an incident of another endpoint", () => {
    const down = signal("down", true, { endpoints: ["passport"] });
    const drift = signal("drift/breaking", true, { class: "score" });
    const over = signal("drift/breaking", false, { endpoints: [] });
    const { told } = play(every(30 * minuteMs, [down], [down, drift], [down, over]));
    expect(told).toEqual(["opened down", "opened drift/breaking", "resolved drift/breaking"]);
    const own = { ...drift, endpoints: ["passport" as const] };
    expect(play(every(hourMs, [down, own], [down, own])).told).toEqual(["opened down"]);
  });

  test("sends no alert while it is muted, and one when the mute ends", () => {
    let isOver = false;
    const incidents: Incidents = { incidents: {}, resolved: [] };
    const tick = (atMs: number) => advanceIncidents(incidents, [signal("down", true)], atMs, () => !isOver);
    expect(tick(startMs)).toEqual([]);
    expect(incidents.incidents.down?.incident.state).toBe("open");
    isOver = true;
    expect(tick(startMs + minuteMs).map(({ event }) => event)).toEqual(["opened"]);
  });
});

describe("an incident that returns", () => {
  const [bad, good] = [signal("down", true), signal("down", false)];
  const later = (minutes: number, ...signals: Signal[]): Step => ({ afterMs: minutes * minuteMs, signals });
  const outage = (minutes: number) => [later(minutes, bad), later(1, good), later(1, good)];

  test("within an hour is the same incident", () => {
    const { incidents, resolved, told } = play([...outage(0), later(60, bad)]);
    expect(incidents.down?.incident).toMatchObject({ state: "open", flaps: 1 });
    expect(resolved).toEqual([]);
    expect(told).toEqual(["opened down", "resolved down", "opened down"]);
  });

  test("later is a new incident, and the first is kept", () => {
    const { incidents, resolved } = play([...outage(0), ...outage(75), ...outage(500)]);
    expect(resolved.map(({ since }) => Date.parse(since) - startMs)).toEqual([0, 77 * minuteMs]);
    expect(incidents.down?.incident).toMatchObject({ flaps: 0, failed: 1 });
  });

  test("and is not confirmed does not replace the first", () => {
    const [refused, served] = [signal("access/key-revoked", true), signal("access/key-revoked", false)];
    const rows = [refused, refused, served, served].map((one) => later(1, one));
    const { resolved } = play([...rows, later(90, refused), later(1, served)]);
    expect(resolved).toMatchObject([{ cause: "access/key-revoked", state: "resolved" }]);
  });

  test("soon after a late alert is the same incident, so that an hour has at most two alerts", () => {
    const timeout = signal("down", true, { class: "timeout" });
    const { told } = play([
      ...[later(0, bad), later(1, timeout), later(1, good), later(1, good)],
      // The end can be told only now.
      ...[later(58, good), later(3, bad), later(1, timeout), later(1, good), later(1, good)],
    ]);
    expect(told).toEqual(["opened down", "changed down", "resolved down", "opened down"]);
  });

  test("before its RESOLVED could be sent continues", () => {
    const timeout = signal("down", true, { class: "timeout" });
    const steps = [later(0, timeout), later(1, bad), later(1, good), later(1, good), later(70, bad)];
    expect(play(steps).told).toEqual(["opened down", "changed down"]);
    const { told, incidents } = play([...steps, later(1, good), later(1, good)]);
    expect(told).toEqual(["opened down", "changed down", "resolved down"]);
    expect(incidents.down?.incident.flaps).toBe(1);
  });

  test("while it is muted is a new incident, and is reported when the mute ends", () => {
    let isMutedNow = false;
    const incidents: Incidents = { incidents: {}, resolved: [] };
    let atMs = startMs;
    const tick = (minutes: number, one: Signal) => {
      atMs += minutes * minuteMs;
      return advanceIncidents(incidents, [one], atMs, () => isMutedNow).map(({ event }) => event);
    };
    expect(tick(0, bad)).toEqual(["opened"]);
    isMutedNow = true;
    expect([...tick(1, good), ...tick(1, good), ...tick(500, bad)]).toEqual([]);
    expect(incidents.resolved).toHaveLength(1);
    isMutedNow = false;
    expect(tick(1, bad)).toEqual(["opened"]);
  });
});

const anyStep = fc.record({
  afterMs: fc.oneof(
    fc.integer({ min: 1_000, max: 40 * minuteMs }),
    // Around the hour, where limits and returns meet, and longer than any of them.
    fc.constantFrom(1, 3, 28, 30, 55, 58, 59, 60, 61, 62, 65, 119, 121, 600).map((it) => it * minuteMs),
  ),
  bad: fc.constantFrom(true, false, undefined),
  class: fc.constantFrom("503", "timeout"),
  severity: fc.constantFrom<Severity>("page", "warning"),
});

describe.each<Cause>(["down", "access/key-revoked"])("whatever happens to %s", (cause) => {
  const anySteps = fc
    .array(anyStep, { minLength: 1, maxLength: 120 })
    .map((steps) =>
      steps.map(({ afterMs, bad, ...more }): Step => ({ afterMs, signals: [signal(cause, bad, more)] })),
    );
  const calm = every(30 * minuteMs, ...Array.from({ length: 6 }, () => [signal(cause, false)]));

  test("at most two alerts an hour are sent", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const times = play(steps).events.map(({ at }) => Date.parse(at));
        for (const [index, at] of times.entries()) {
          const third = times[index + 2];
          if (third !== undefined) expect(third - at).toBeGreaterThanOrEqual(hourMs);
        }
      }),
    );
  });

  test("no RESOLVED is lost: after an hour without change the last alert matches the state", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const { events, incidents } = play([...steps, ...calm]);
        const opened = events.filter(({ event }) => event === "opened").length;
        const resolved = events.filter(({ event }) => event === "resolved").length;
        expect(resolved).toBe(opened);
        expect(incidents[cause]?.incident.state ?? "resolved").toBe("resolved");
      }),
    );
  });

  test("no incident with an alert is lost, and none is kept twice", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const { events, incidents, resolved } = play(steps);
        const kept = [...resolved, ...Object.values(incidents).map(({ incident }) => incident)];
        const since = kept.map((incident) => incident.since);
        expect(new Set(since).size).toBe(since.length);
        expect(since).toEqual(expect.arrayContaining(events.map(({ incident }) => incident.since)));
      }),
    );
  });

  test("alert ids never repeat", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const ids = play(steps).events.map(
          ({ incident, number, event }) => `${incident.id}@${incident.since}/${number}-${event}`,
        );
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});

test("every cause has a policy that can open and resolve", () => {
  for (const { opens, resolves } of Object.values(policies)) {
    expect(opens).toBeGreaterThan(0);
    expect(resolves).toBeGreaterThan(0);
  }
});
