// From evaluations to incidents and their messages: openings, changes, ends, replacements and limits.
import { describe, expect, test } from "vitest";
import { noteCheck } from "../../../lib/assess/history/history.ts";
import {
  advanceIncidents,
  type EvaluationInput,
  freshIncidents,
  type IncidentEvent,
  type Incidents,
  isWide,
} from "../../../lib/assess/incidents.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Decision, Incident } from "../../../lib/records/incident.ts";
import { dayMs, hourMs, minuteMs, observationOf } from "../observation-builder.ts";
import {
  at,
  credentials,
  every,
  historyOf,
  incidentOf,
  iso,
  list,
  passport,
  type Row,
  tick,
} from "./check-history.ts";

const down = { status: 503 };
const settings = { silentAfterMs: 400 * dayMs };
type Given = Partial<Omit<EvaluationInput, "history" | "nowMs">>;

/** Evaluates after every check. */
function play(rows: readonly Row[], given: Given = {}, state = freshIncidents(), history = historyOf([])) {
  const events: IncidentEvent[] = [];
  for (const [minutes, outcome] of rows) {
    noteCheck(history, observationOf({ at: at(minutes), ...outcome }));
    events.push(
      ...advanceIncidents(state, { history, nowMs: at(minutes), settings, decisions: [], ...given }),
    );
  }
  return { events, state, history };
}
const said = (events: readonly IncidentEvent[]) =>
  events.map(({ event, incident, at: instant }) => `${event} ${incident.rule} ${instant.slice(11, 16)}`);
const outage = [...tick(0), ...tick(10, down), ...tick(11, down), ...tick(15, down)];
const recovery = [...tick(20), ...tick(21), ...tick(25)];

describe("an incident", () => {
  test("is pending, then firing, then resolved, with a message for the last two", () => {
    const { state } = play(outage.slice(0, 9));
    expect(state.incidents).toMatchObject([{ state: "pending", rule: "down", sent: [] }]);
    expect(state.incidents[0]).not.toHaveProperty("openedAt");
    const { events, state: after } = play([...outage, ...recovery]);
    expect(said(events)).toEqual(["opened down 00:15", "resolved down 00:25"]);
    expect(events.map(({ event, number }) => [event, number])).toEqual([
      ["opened", 1],
      ["resolved", 2],
    ]);
    expect(after.incidents).toEqual([]);
    expect(after.resolved).toEqual([
      {
        schema: "v1watch/incident/2",
        id: "down-20260302T0010Z",
        rule: "down",
        scope: "api",
        endpoints: [...endpointIds],
        severity: "page",
        state: "resolved",
        since: iso(10),
        openedAt: events[0]!.at,
        resolvedAt: events[1]!.at,
        key: "down passport-list,passport,passport-credentials",
        sent: events.map(({ event, at: instant, incident: { key } }) => ({
          event,
          at: instant,
          key,
          severity: "page",
          isWide: true,
          isInSummary: false,
        })),
        facts: expect.objectContaining({
          rule: "down",
          scope: "api",
          firstBadAt: iso(10),
          lastGoodBeforeAt: iso(2 / 60),
          bad: 9,
          total: 9,
          lastBadAt: iso(15 + 2 / 60),
          firstGoodAfterAt: iso(20),
          windowSeconds: 302,
        }),
      },
    ]);
    expect(events[1]).not.toHaveProperty("supersedes");
  });

  test("that returns is another one, with an id of its own", () => {
    const again = outage.slice(3).map(([m, one]): Row => [m + 50, one]);
    const { state } = play([...outage, ...recovery, ...again]);
    expect(state.incidents).toMatchObject([{ id: "down-20260302T0100Z", state: "firing" }]);
    // In the same minute it gets a number.
    const known = {
      ...freshIncidents(),
      resolved: [incidentOf("down", { id: "down-20260302T0010Z", state: "resolved", resolvedAt: iso(0) })],
    };
    expect(play(outage, {}, known).state.incidents).toMatchObject([{ id: "down-20260302T0010Z-2" }]);
    const own = play([...tick(0), ...every(5, 10, 30, { ...down, endpoint: passport })]);
    expect(own.state.incidents).toMatchObject([{ id: "down-passport-20260302T0010Z" }]);
  });

  test("with a new cause is changed, and keeps its onset", () => {
    const { events, state } = play([...outage, ...tick(30, { status: 410 }), ...tick(31, { status: 410 })]);
    expect(events.map(({ event, incident }) => `${event} ${incident.rule}`)).toEqual([
      "opened down",
      "changed gone",
    ]);
    expect(state.incidents).toMatchObject([
      {
        rule: "gone",
        since: iso(10),
        changedAt: iso(30),
        severity: "page",
        facts: { firstBadAt: iso(10), changedAt: iso(30), changedAfterAt: iso(15 + 2 / 60) },
      },
    ]);
    expect(state.incidents[0]).not.toHaveProperty("recovered");
  });

  test("narrowed to fewer endpoints is changed, and says since when the others are good", () => {
    const left = [20, 21, 25, 26].flatMap((m): Row[] => [
      [m, { endpoint: list }],
      [m + 0.1, { ...down, endpoint: passport }],
      [m + 0.2, { endpoint: credentials }],
    ]);
    const { events, state } = play([...outage, ...left]);
    expect(events.map(({ event, incident }) => [event, incident.endpoints])).toEqual([
      ["opened", [...endpointIds]],
      ["changed", [passport]],
    ]);
    expect(state.incidents).toMatchObject([
      {
        scope: "endpoint",
        recovered: { [list]: iso(20), [credentials]: iso(20) },
        facts: { changedAt: iso(20), changedAfterAt: iso(15 + 2 / 60) },
      },
    ]);
    expect(state.incidents[0]).not.toHaveProperty("changedAt");
    const more = [27, 28].flatMap((m): Row[] => [[m, { ...down, endpoint: passport }]]);
    expect(play([...outage, ...left, ...more]).state.incidents).toMatchObject([
      { recovered: { [list]: iso(20), [credentials]: iso(20) }, facts: { changedAt: iso(20) } },
    ]);
  });

  test("ends only after good checks over five minutes", () => {
    const rows = (last: number) => [...outage, ...tick(20), ...tick(last - 2 / 60)];
    expect(play(rows(24.4)).state.incidents).toHaveLength(1);
    expect(play(rows(24.5)).state.incidents).toHaveLength(0);
  });

  test("that waits while nothing is known sends no reminder", () => {
    const { state, history, events } = play(outage);
    expect(events).toHaveLength(1);
    const later = (ms: number, decisions: Decision[] = []) =>
      advanceIncidents(structuredClone(state), {
        history,
        nowMs: Date.parse(events[0]!.at) + ms,
        settings,
        decisions,
      });
    expect(later(dayMs - 1)).toEqual([]);
    expect(later(dayMs)).toMatchObject([{ event: "reminder", number: 2 }]);
    const ack: Decision = {
      schema: "v1watch/decision/1",
      kind: "ack",
      subject: state.incidents[0]!.id,
      reason: "known",
      at: iso(30),
    };
    expect(later(dayMs, [ack])).toEqual([]);
    const warning = { ...state, incidents: [incidentOf("slow", { severity: "warning" })] };
    expect(
      advanceIncidents(warning, { history, nowMs: at(3 * 1_440), settings, decisions: [] }),
    ).not.toMatchObject([{ event: "reminder", incident: { rule: "slow" } }]);
    const silent = structuredClone(state);
    silent.incidents = [
      incidentOf("breaking-drift", {
        endpoints: [list],
        sent: [{ event: "opened", at: iso(0), key: "breaking-drift" }],
      }),
    ];
    const none = historyOf([[0]]);
    expect(
      advanceIncidents(silent, { history: none, nowMs: at(2 * 1_440), settings, decisions: [] }),
    ).toEqual([]);
  });
});

describe("messages", () => {
  const mute = (subject: string, over: Partial<Decision> = {}): Decision => ({
    schema: "v1watch/decision/1",
    kind: "mute",
    subject,
    reason: "known",
    at: iso(0),
    ...over,
  });

  test("are not sent for what is muted, or in a maintenance window, and follow after it", () => {
    const muted = play([...outage, ...recovery], { decisions: [mute("down")] });
    expect(muted.events).toEqual([]);
    expect(muted.state.resolved).toHaveLength(1);
    expect(muted.state.messages).toEqual(freshIncidents().messages);
    const late = play([...outage, ...tick(40, down)], { decisions: [mute("down", { until: iso(30) })] });
    expect(said(late.events)).toEqual(["opened down 00:40"]);
    const maintenance = [{ days: ["mon" as const], from: "00:00", to: "00:30", timeZone: "UTC" }];
    expect(said(play([...outage, ...tick(40, down)], { maintenance }).events)).toEqual(["opened down 00:40"]);
  });

  test("open at most two incidents of a rule in an hour and six failures in a day", () => {
    const { history, events } = play(outage);
    const openedMs = Date.parse(events[0]!.at);
    const opening = (agoMs: readonly number[], rule: Incident["rule"] = "down") => {
      const resolved = agoMs.map((ms, index) =>
        incidentOf(rule, {
          id: `${rule}-${index}`,
          state: "resolved",
          resolvedAt: new Date(openedMs - ms).toISOString(),
          sent: ["opened", "resolved"].map((event) => ({
            event,
            at: new Date(openedMs - ms).toISOString(),
            key: rule,
          })),
        }),
      );
      const state: Incidents = { ...freshIncidents(), resolved };
      const sent = advanceIncidents(state, { history, nowMs: openedMs, settings, decisions: [] }).length;
      expect(state.messages.heldBack).toHaveLength(1 - sent);
      return sent;
    };
    expect(opening([minuteMs])).toBe(1);
    expect(opening([minuteMs, hourMs - 1])).toBe(0);
    expect(opening([minuteMs, hourMs])).toBe(1);
    expect(opening([minuteMs, minuteMs], "gone")).toBe(1);
    const hours = [2, 4, 6, 8, 10].map((hours) => hours * hourMs);
    expect(opening([...hours, dayMs - 1])).toBe(0);
    expect(opening([...hours, dayMs - 1], "gone")).toBe(0);
    expect(opening([...hours, dayMs - 1], "slow")).toBe(1);
    expect(opening([...hours, dayMs])).toBe(1);
  });

  test("about a cause that returns are sent once in six hours, and at most three in a day", () => {
    const { state, history } = play(outage);
    const [one] = state.incidents;
    const nowMs = at(8 * 60);
    const ago = (ms: number) => new Date(nowMs - ms).toISOString();
    const changes = (sent: Incident["sent"]) => {
      const own = { ...structuredClone(state), incidents: [{ ...one!, sent }] };
      return advanceIncidents(own, { history, nowMs, settings, decisions: [] }).map(({ event }) => event);
    };
    const other = (ms: number, event = "changed") => ({ event, at: ago(ms), key: "other" });
    const same = (ms: number) => ({ event: "changed", at: ago(ms), key: one!.key });
    expect(changes([other(hourMs)])).toEqual(["changed"]);
    expect(changes([same(hourMs)])).toEqual([]);
    expect(changes([same(6 * hourMs), other(hourMs)])).toEqual(["changed"]);
    expect(changes([same(6 * hourMs - 1), other(hourMs)])).toEqual([]);
    expect(changes([other(3), other(2)])).toEqual(["changed"]);
    expect(changes([other(4), other(3), other(2)])).toEqual([]);
    expect(changes([other(dayMs), other(3), other(2)])).toEqual(["changed"]);
    expect(changes([other(4, "reminder"), other(3), other(2)])).toEqual(["changed"]);
    expect(changes([same(7 * hourMs), other(2, "reminder")])).toEqual([]);
  });
});

describe("an incident of more endpoints", () => {
  const own = every(5, 10, 25, { ...down, endpoint: passport });
  const all = [...tick(70, { status: 410 }), ...tick(71, { status: 410 }), ...tick(75, { status: 410 })];

  test("replaces that of one, which gets no RESOLVED of its own", () => {
    const { events, state } = play([...tick(0), ...own, ...all]);
    const [narrow, wide] = events;
    expect(events.map(({ event, incident }) => [event, incident.endpoints.length])).toEqual([
      ["opened", 1],
      ["opened", 3],
    ]);
    expect(wide?.supersedes).toEqual([narrow?.incident.id]);
    expect(state.resolved).toMatchObject([
      { id: narrow?.incident.id, state: "resolved", supersededBy: wide?.incident.id, resolvedAt: wide?.at },
    ]);
    const over = play([...tick(0), ...own, ...all, ...tick(80), ...tick(81), ...tick(86)]);
    expect(over.events.at(-1)).toMatchObject({ event: "resolved", supersedes: [narrow?.incident.id] });
  });

  test("names those that were replaced through another one, the last twenty of them, and no silent ones", () => {
    const { state, history } = play(outage);
    const wide = state.incidents[0]!;
    const replaced = (id: string, supersededBy: string, sent = wide.sent) =>
      incidentOf("down", {
        id,
        supersededBy,
        sent,
        state: "resolved",
        resolvedAt: iso(12),
        endpoints: [list],
      });
    const namesOf = (resolved: Incident[]) => {
      const fresh = { ...freshIncidents(), incidents: [{ ...wide, sent: [] }], resolved };
      const [one] = advanceIncidents(fresh, { history, nowMs: at(20), settings, decisions: [] });
      return one?.supersedes;
    };
    expect(namesOf([replaced("a", "b"), replaced("b", wide.id)])).toEqual(["a", "b"]);
    expect(namesOf([replaced("a", "b"), replaced("b", wide.id, [])])).toEqual(["a"]);
    expect(namesOf([replaced("a", "x")])).toBeUndefined();
    const before = [{ event: "opened", at: iso(-2 * 1_440), key: "down" }];
    const many = Array.from({ length: 22 }, (_, index) =>
      replaced(`n${index}`, index === 21 ? wide.id : `n${index + 1}`, before),
    );
    expect(namesOf(many)).toEqual(many.slice(2).map(({ id }) => id));
  });

  test("inhibits warnings about its endpoints, until it is over", () => {
    const slow = { timings: { totalMs: 4_000 } };
    const rows = [...tick(0), ...every(5, 10, 25, down)];
    const state = freshIncidents();
    const { history } = play(rows, {}, state);
    expect(state.incidents).toMatchObject([{ rule: "down", state: "firing" }]);
    // The list fails; the credentials are slow, and only that is opened.
    const { events } = play(every(5, 30, 40, { ...slow, endpoint: credentials }), {}, state, history);
    expect(events.map(({ incident }) => incident.rule)).toEqual(["slow"]);
    // Slow responses in the first minutes after an outage: it is not over yet.
    const own = [
      ...tick(0),
      ...every(5, 10, 25, { ...down, endpoint: credentials }),
      ...every(1, 30, 32, { ...slow, endpoint: credentials }),
    ];
    expect(play(own).state.incidents).toMatchObject([
      { rule: "down", state: "firing" },
      { rule: "slow", state: "pending" },
    ]);
  });
});

test("an outage replaces no incident of another kind", () => {
  const incidents = [incidentOf("partly-frozen")];
  const { state } = play(outage, {}, { ...freshIncidents(), incidents });
  expect(state.incidents.map(({ rule, state: name }) => `${rule} ${name}`).sort()).toEqual([
    "down firing",
    "partly-frozen firing",
  ]);
});

test("an endpoint that fails again is no longer recovered", () => {
  const firing = incidentOf("down", { endpoints: [list], since: iso(10), recovered: { [passport]: iso(9) } });
  const rows = [
    ...tick(0),
    ...every(5, 10, 60, down),
    ...every(5, 20, 60, { ...down, endpoint: passport }),
    ...every(5, 11, 61, { endpoint: credentials }),
  ];
  const history = historyOf(rows.toSorted(([a], [b]) => a - b));
  const state = { ...freshIncidents(), incidents: [firing] };
  advanceIncidents(state, { history, nowMs: at(61), settings, decisions: [] });
  expect(state.incidents).toMatchObject([{ endpoints: [list, passport] }]);
  expect(state.incidents[0]?.recovered).toEqual({});
});

test("an end that no check showed ends all but failures", () => {
  const state = { ...freshIncidents(), incidents: [incidentOf("recurring-outages"), incidentOf("down")] };
  advanceIncidents(state, { history: historyOf([]), nowMs: at(5), settings, decisions: [] });
  expect(state.incidents).toMatchObject([{ rule: "down", state: "firing" }]);
  expect(state.resolved).toMatchObject([{ rule: "recurring-outages", facts: { firstGoodAfterAt: iso(5) } }]);
});

test("a missing key is reported after three checks over five minutes", () => {
  const none = { outcome: { kind: "no-secret" as const } };
  const opened = (minutes: readonly number[]) =>
    play(minutes.map((m): Row => [m, none])).events.map(({ incident }) => incident.rule);
  expect(opened([0, 1, 4.5])).toEqual(["no-secret"]);
  expect(opened([0, 1, 4.4])).toEqual([]);
  expect(opened([0, 5])).toEqual([]);
});

test("refused anonymous requests are reported after three of them", () => {
  const anonymous = (m: number, status: number): Row => [m, { status, variant: "anonymous" }];
  const opened = (minutes: readonly number[]) =>
    play([[0], anonymous(1, 200), ...minutes.map((m) => anonymous(m, 401))]).events.map(
      ({ incident }) => incident.rule,
    );
  expect(opened([10, 20])).toEqual([]);
  expect(opened([10, 20, 30])).toEqual(["anonymous-refused"]);
});

test("a warning that becomes a page is one, and does not become less", () => {
  const expiring = (days: number, from: number): Row => [
    from,
    { tls: { expiresAt: new Date(at(from) + days * dayMs).toISOString() } },
  ];
  const state = freshIncidents();
  const { history } = play([expiring(10, 0)], {}, state);
  expect(state.incidents).toMatchObject([{ rule: "certificate", severity: "warning" }]);
  play([expiring(3, 200)], {}, state, history);
  expect(state.incidents).toMatchObject([{ severity: "page" }]);
  play([expiring(10, 400)], {}, state, history);
  expect(state.incidents).toMatchObject([{ severity: "page" }]);
  const { events } = play([expiring(100, 600)], {}, state, history);
  expect(events).toMatchObject([{ event: "resolved", incident: { facts: { firstGoodAfterAt: iso(600) } } }]);
});

test("resolved incidents are kept for 60 days, and 200 of them", () => {
  const old = (resolvedAt: string) => incidentOf("slow", { state: "resolved", resolvedAt });
  const kept = (resolved: Incident[]) => {
    const state = { ...freshIncidents(), resolved };
    advanceIncidents(state, { history: historyOf([]), nowMs: at(60 * 1_440), settings, decisions: [] });
    return state.resolved.length;
  };
  expect(kept([old(iso(0))])).toBe(1);
  expect(kept([old(iso(-1))])).toBe(0);
  expect(kept(Array.from({ length: 201 }, () => old(iso(5))))).toBe(200);
});

test("an incident is wide where it has all endpoints", () => {
  expect(isWide(incidentOf("down"))).toBe(true);
  expect(isWide(incidentOf("down", { endpoints: [list] }))).toBe(false);
});
