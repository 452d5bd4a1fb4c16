// What people are told of an incident, compared with what is true: through silences and limits, after the watch was off, and
// after a state was rebuilt by another version.
import { describe, expect, test } from "vitest";
import { assess, type Memory } from "../../lib/assess/assess.ts";
import { foldTick, groupTicks, showIncidents } from "../../lib/assess/fold.ts";
import { type AssessSettings, freshState } from "../../lib/assess/state.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import type { Ports } from "../../lib/ports.ts";
import { type Alert, incidentOf } from "../../lib/records/alert.ts";
import type { Decision } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { fc } from "../random.ts";
import { type Service, settings, startMs, watch } from "./driver.ts";
import { dayMs, hourMs, minuteMs } from "./observation-builder.ts";

const hourOf = (atMs: number) => (atMs - startMs) / hourMs;
const atHour = (hour: number) => new Date(startMs + hour * hourMs).toISOString();

const mute = (subject: string, fromHour: number, untilHour: number): Decision => ({
  schema: "v1watch/decision/1",
  kind: "mute",
  subject,
  reason: "planned work",
  at: atHour(fromHour),
  until: atHour(untilHour),
});

/** `sunset opened 2026-12-01` */
const summarize = (events: ReturnType<typeof watch>["events"]) =>
  events.map(({ event, incident: { rule, facts } }) =>
    [rule, event, facts.date?.slice(0, 10)].filter((word) => word !== undefined).join(" "),
  );

const refold = (observations: readonly Observation[], given: Partial<AssessSettings> = {}) => {
  const state = freshState();
  const events = groupTicks(observations).flatMap((tick) => foldTick(state, tick, { ...settings, ...given }));
  showIncidents(state, { ...settings, ...given });
  return { state, events };
};

/** From the sixth hour on V1 announces its end; the date is that of the latest of these hours. */
const announcing =
  (dates: Record<number, string>): Service =>
  ({ atMs }) => {
    const [, date] = Object.entries(dates).findLast(([hour]) => hourOf(atMs) >= Number(hour)) ?? [];
    return date === undefined ? {} : { notices: { sunset: `${date}T00:00:00.000Z` } };
  };

describe("a difference that may not be told yet", () => {
  test.each([
    ["a maintenance window", "everything"],
    ["a mute of its rule", "sunset"],
  ])("A date that moves within %s is told when that ends", (_, subject) => {
    const { events } = watch(announcing({ 6: "2026-12-01", 16: "2026-04-20" }), {
      days: 2,
      settings: { decisions: [mute(subject, 15, 20)] },
    });
    expect(summarize(events)).toEqual(["sunset opened 2026-12-01", "sunset changed 2026-04-20"]);
    expect(events[1]?.at).toBe(atHour(20));
    expect(events[1]?.incident.facts.previousDate?.slice(0, 10)).toBe("2026-12-01");
  });

  test("A date that moved and moved back within a maintenance window is not told", () => {
    const { events } = watch(announcing({ 6: "2026-12-01", 16: "2026-04-20", 18: "2026-12-01" }), {
      days: 2,
      settings: { decisions: [mute("everything", 15, 22)] },
    });
    expect(summarize(events)).toEqual(["sunset opened 2026-12-01"]);
  });

  test("The fourth change of a day is told a day after the first, with the latest date", () => {
    const { events } = watch(
      announcing({ 6: "2026-12-01", 9: "2026-11-01", 12: "2026-10-01", 15: "2026-09-01", 18: "2026-08-01" }),
      { days: 3 },
    );
    expect(summarize(events).slice(3)).toEqual(["sunset changed 2026-09-01", "sunset changed 2026-08-01"]);
    expect(Date.parse(events[4]?.at ?? "") - Date.parse(events[1]?.at ?? "")).toBeGreaterThanOrEqual(dayMs);
  });

  test("A date that lasts for more than a day is told, also one that was told before", () => {
    const dates = fc.array(fc.constantFrom("2026-12-01", "2026-04-20", "2026-09-01"), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(dates, fc.integer({ min: 26, max: 40 }), (all, hours) => {
        const at = Object.fromEntries(all.map((date, index) => [6 + index * hours, date]));
        const { events } = watch(announcing(at), { days: (6 + all.length * hours) / 24 });
        const told = events.map(({ incident }) => incident.facts.date?.slice(0, 10));
        expect(told).toEqual(all.filter((date, index) => date !== all[index - 1]));
      }),
      { numRuns: 3 },
    );
  });

  test("An outage that began and ended within a maintenance window is never told, nor is its end", () => {
    const service: Service = ({ atMs }) => (hourOf(atMs) >= 6 && hourOf(atMs) < 9 ? { status: 503 } : {});
    const { events, state } = watch(service, {
      days: 1,
      settings: { decisions: [mute("everything", 5, 12)] },
    });
    expect(events).toEqual([]);
    expect(state.resolved).toMatchObject([{ rule: "down", sent: [] }]);
  });
});

test("The third outage of an hour is told as soon as it is confirmed", () => {
  const outages = [
    { from: 600, until: 612, status: 503 },
    { from: 622, until: 634, status: 503 },
    { from: 646, until: 659, status: 410 },
  ];
  const service: Service = ({ atMs }) => {
    const minute = (atMs - startMs) / minuteMs;
    const outage = outages.find(({ from, until }) => minute >= from && minute < until);
    return outage ? { status: outage.status } : {};
  };
  const { events } = watch(service, { days: 1 });
  const gone = events.find(({ incident }) => incident.rule === "gone");
  expect((Date.parse(gone?.at ?? "") - startMs) / minuteMs).toBeLessThanOrEqual(646 + 18);
});

describe("a fault that comes and goes", () => {
  const onAndOff =
    (onMinutes: number, everyMinutes: number): Service =>
    ({ atMs }) => {
      const minute = (atMs - startMs) / minuteMs - 600;
      return minute >= 0 && minute < 2 * 1_440 && minute % everyMinutes < onMinutes ? { status: 503 } : {};
    };

  test.each([
    [20, 60, 4],
    // Each of them is over for longer than two hours: it is told, and its end.
    [60, 360, 16],
    [60, 480, 12],
  ])("V1 that is down for %d min every %d min is told in at most %d messages", (on, every, messages) => {
    const { events } = watch(onAndOff(on, every), { days: 5 });
    expect(events.filter(({ event }) => event !== "reminder").length).toBeLessThanOrEqual(messages);
    expect(events.at(-1)).toMatchObject({ event: "resolved", incident: { facts: { comesAndGoes: true } } });
  });

  test("An outage that lasts after a day of coming and going is told as such", () => {
    const lastsMs = startMs + 34 * hourMs;
    const service: Service = (request) =>
      request.atMs >= lastsMs ? { status: 503 } : onAndOff(20, 60)(request);
    const { events } = watch(service, { days: 2 });
    const changed = events.find(({ event, at }) => event === "changed" && Date.parse(at) > lastsMs);
    expect(changed?.incident.facts.comesAndGoes).toBeUndefined();
    expect(Date.parse(changed?.at ?? "") - lastsMs).toBeLessThanOrEqual(45 * minuteMs);
  });

  test("A rate of failures takes the place of the failure that it describes", () => {
    const service: Service = ({ atMs, random }) =>
      hourOf(atMs) >= 10 && hourOf(atMs) < 58 && random < 0.8 ? { status: 503 } : {};
    const { events, state } = watch(service, { days: 4 });
    const rate = events.find(({ incident }) => incident.rule === "error-rate");
    expect(rate).toMatchObject({ event: "opened", supersedes: [events[0]?.incident.id] });
    expect(rate?.incident.severity).toBe("page");
    expect(state.open).toEqual([]);
  });
});

test("A recurring outage is not over because nobody looked", () => {
  const service: Service = ({ atMs }) =>
    hourOf(atMs) % 24 >= 2 && hourOf(atMs) % 24 < 3 && hourOf(atMs) < 5 * 24 ? { status: 503 } : {};
  const { observations } = watch(service, { days: 12 });
  const ends = ({ events }: ReturnType<typeof refold>) =>
    events
      .filter(({ event, incident }) => event === "resolved" && incident.rule === "recurring-outages")
      .map(({ at }) => hourOf(Date.parse(at)) / 24);
  const [watched] = ends(refold(observations));
  expect(watched).toBeLessThan(9);
  // The watch is off at night, and around the sixth day altogether.
  const isOff = (hour: number) => hour >= 5 * 24 && (hour % 24 < 4 || hour < 7 * 24);
  const seldom = refold(observations.filter(({ at }) => !isOff(hourOf(Date.parse(at)))));
  expect(ends(seldom)).toEqual([]);
  expect(seldom.state.open).toMatchObject([{ row: "recurring-outages" }]);
});

// The other version may have dated the incident otherwise, and so have another id for it.
test.each<[string, Record<number, string>, string[], string]>([
  ["moved", { 6: "2026-12-01", 16: "2026-04-20" }, ["2026-12-01", "2026-04-20"], "sunset-"],
  [
    "moved back",
    { 6: "2026-12-01", 10: "2026-11-01", 16: "2026-12-01" },
    ["2026-12-01", "2026-11-01", "2026-12-01"],
    "sunset-passport-",
  ],
])(
  "A state of another version is rebuilt with what the alerts told, and a date that %s in a maintenance window before that is told after it",
  async (_title, dates, told, name) => {
    const { observations } = watch(announcing(dates), { days: 3 });
    const alerts: Alert[] = [];
    let nowMs = startMs;
    const { ledger, outbox } = openMemoryStore(() => nowMs);
    await ledger.decide(mute("everything", 15, 60));
    const olderDays = new Set<string>();
    const older = new Set<string>();
    const ports: Ports = {
      nowMs: () => nowMs,
      readKey: async () => ({ kind: "none" }),
      outbox: {
        ...outbox,
        announced: async () =>
          (await outbox.announced()).map((one) =>
            older.has(one.id) ? { ...one, id: one.id.replace("sunset-", name) } : one,
          ),
      },
      receivers: [acceptAlerts((one) => alerts.push(one))],
      ledger: {
        ...ledger,
        checkpointAt: async (day) => {
          const found = await ledger.checkpointAt(day);
          return found && olderDays.has(found.day)
            ? { ...found, state: { schema: "v1watch/state/4" } }
            : found;
        },
      },
    };
    const { decisions: _, ...given } = settings;
    let memory: Memory = {};
    const play = async (fromHour: number, untilHour: number) => {
      for (const tick of groupTicks(observations)) {
        const hour = hourOf(Date.parse(tick[0]!.at));
        if (hour < fromHour || hour >= untilHour) continue;
        nowMs = Math.max(...tick.map(({ at }) => Date.parse(at))) + 1_000;
        for (const observation of tick) await ledger.append(observation);
        await assess(ports, given, memory);
      }
    };
    await play(0, 50);
    for (const day of [1, 2]) olderDays.add(atHour(day * 24).slice(0, 10));
    for (const { id } of alerts) older.add(id);
    memory = {};
    await play(50, 72);
    const ofSunset = alerts.filter(({ rule }) => rule === "sunset");
    expect(ofSunset.map(({ facts }) => facts?.date?.slice(0, 10))).toEqual(told);
    expect(ofSunset.map(({ id }) => id.split("/")[1])).toEqual(
      told.map((_date, index) => `${index + 1}-${index === 0 ? "opened" : "changed"}`),
    );
    expect(incidentOf(ofSunset.at(-1)!)).toBe(incidentOf(ofSunset[0]!).replace("sunset-", name));
    expect(ofSunset.at(-1)?.facts?.previousDate?.slice(0, 10)).toBe(told.at(-2));
  },
);
