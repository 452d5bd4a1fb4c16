import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeLength } from "../../lib/assess/alert-words.ts";
import {
  advanceIncidents,
  type Cases,
  endOf,
  type IncidentEvent,
  policies,
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
  const cases: Cases = {};
  const events: IncidentEvent[] = [];
  let atMs = startMs;
  for (const { afterMs, signals } of steps) {
    atMs += afterMs;
    events.push(...advanceIncidents(cases, signals, atMs, isMuted));
    for (const { incident } of Object.values(cases)) incidentSchema.parse(incident);
  }
  return { cases, events, told: events.map(({ event, incident }) => `${event} ${incident.id}`) };
}

const every = (afterMs: number, ...rows: Signal[][]): Step[] => rows.map((signals) => ({ afterMs, signals }));

describe("an incident", () => {
  test("opens only after its confirmations, and a single bad tick says nothing", () => {
    const bad = signal("access/key-revoked", true);
    const good = signal("access/key-revoked", false);
    expect(play(every(minuteMs, [bad], [good], [bad], [good])).told).toEqual([]);
    expect(play(every(minuteMs, [bad], [bad])).told).toEqual(["opened access/key-revoked"]);
  });

  test("resolves with a threshold of its own, and says so once", () => {
    const bad = signal("down", true);
    const good = signal("down", false);
    const { told, cases } = play(every(minuteMs, [bad], [good], [bad], [good], [good], [good]));
    expect(told).toEqual(["opened down", "resolved down"]);
    expect(cases.down?.incident).toMatchObject({ state: "resolved", failed: 2 });
  });

  test("lasts from the first bad answer to the first good one, however long we take to be sure", () => {
    const bad = signal("down", true);
    const good = signal("down", false);
    const { cases } = play(every(30 * minuteMs, [bad], [good], [bad], [bad], [good], [good]));
    const { incident } = cases.down!;
    expect(endOf(incident)).toBe(new Date(startMs + 5 * 30 * minuteMs).toISOString());
    expect(describeLength(incident, startMs + 9 * hourMs)).toBe("2 h");
    const open = play(every(30 * minuteMs, [bad], [good], [bad], [good])).cases.down!.incident;
    expect(endOf(open)).toBeUndefined();
    expect(describeLength(open, startMs + 9 * hourMs)).toBe("8 h 30 min");
  });

  test("that another cause replaced ends there", () => {
    const down = [signal("down", true), signal("retirement/gone", false)];
    const gone = [signal("down", undefined), signal("retirement/gone", true, { class: "410" })];
    const { incident } = play(every(hourMs, down, down, gone, gone)).cases.down!;
    expect(endOf(incident)).toBe(new Date(startMs + 4 * hourMs).toISOString());
  });

  test("a tick that says nothing neither confirms nor resolves", () => {
    const rows = [
      [signal("down", true)],
      [signal("down", undefined)],
      [signal("down", false)],
      [signal("down", undefined)],
    ];
    expect(play(every(minuteMs, ...rows)).told).toEqual(["opened down"]);
  });

  test("a new class while it is open is told again", () => {
    const rows = [
      [signal("retirement/gone", true, { class: "410" })],
      [signal("retirement/gone", true, { class: "410" })],
      [signal("retirement/gone", true, { class: "404" })],
    ];
    expect(play(every(hourMs, ...rows)).told).toEqual(["opened retirement/gone", "changed retirement/gone"]);
  });

  test("a higher severity escalates, a lower one is silent", () => {
    const rows = (["warning", "page", "warning"] as Severity[]).map((severity) => [
      signal("down", true, { severity }),
    ]);
    expect(play(every(hourMs, ...rows)).told).toEqual(["opened down", "escalated down"]);
  });

  test("503 that becomes 410 is a change of cause, not a recovery", () => {
    const down = [signal("down", true), signal("retirement/gone", false)];
    const gone = [signal("down", undefined), signal("retirement/gone", true, { class: "410" })];
    const { told, cases } = play(every(hourMs, down, down, gone, gone, gone));
    expect(told).toEqual(["opened down", "changed retirement/gone"]);
    expect(cases.down?.incident).toMatchObject({ state: "resolved", supersededBy: "retirement/gone" });
  });

  test("what was superseded is told anew when it returns", () => {
    const down = [signal("down", true), signal("retirement/gone", false)];
    const gone = [signal("down", undefined), signal("retirement/gone", true, { class: "410" })];
    const { told } = play(every(20 * minuteMs, down, gone, gone, down, down, down, down));
    expect(told.filter((line) => line === "opened down")).toHaveLength(2);
  });

  test("down hides drift and staleness, and they speak again when it is over", () => {
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

  test("what a person muted is watched and not told, and told when the mute ends", () => {
    let isOver = false;
    const cases: Cases = {};
    const tick = (atMs: number) => advanceIncidents(cases, [signal("down", true)], atMs, () => !isOver);
    expect(tick(startMs)).toEqual([]);
    expect(cases.down?.incident.state).toBe("open");
    isOver = true;
    expect(tick(startMs + minuteMs).map(({ event }) => event)).toEqual(["opened"]);
  });
});

const anySteps = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 1_000, max: 40 * minuteMs }),
    bad: fc.constantFrom(true, false, undefined),
    name: fc.constantFrom("503", "timeout"),
    severity: fc.constantFrom<Severity>("page", "warning"),
  }),
  { minLength: 1, maxLength: 120 },
);

describe("whatever happens", () => {
  test("at most two messages an hour are told of one cause", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const { events } = play(
          steps.map(({ afterMs, bad, name, severity }) => ({
            afterMs,
            signals: [signal("down", bad, { class: name, severity })],
          })),
        );
        const times = events.map(({ at }) => Date.parse(at));
        for (const [index, at] of times.entries()) {
          const third = times[index + 2];
          if (third !== undefined) expect(third - at).toBeGreaterThanOrEqual(hourMs);
        }
      }),
    );
  });

  test("no resolve is ever lost: after a quiet hour people have been told what is true", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const calm: Step[] = every(
          30 * minuteMs,
          ...Array.from({ length: 6 }, () => [signal("down", false)]),
        );
        const { events, cases } = play([
          ...steps.map(({ afterMs, bad, name, severity }) => ({
            afterMs,
            signals: [signal("down", bad, { class: name, severity })],
          })),
          ...calm,
        ]);
        const opened = events.filter(({ event }) => event === "opened").length;
        const resolved = events.filter(({ event }) => event === "resolved").length;
        expect(resolved).toBe(opened);
        expect(cases.down?.incident.state ?? "resolved").toBe("resolved");
      }),
    );
  });

  test("message ids never repeat", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const { events } = play(
          steps.map(({ afterMs, bad, name, severity }) => ({
            afterMs,
            signals: [signal("down", bad, { class: name, severity })],
          })),
        );
        const ids = events.map(
          ({ incident, number, event }) => `${incident.id}@${incident.since}/${number}-${event}`,
        );
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test("every cause has a policy that can open and resolve", () => {
    for (const { opens, resolves } of Object.values(policies)) {
      expect(opens).toBeGreaterThan(0);
      expect(resolves).toBeGreaterThan(0);
    }
  });
});
