// The alarms as they are deployed, played minute by minute over generated weeks: what fires, when, and who hears of it.
import { describe, expect, test } from "vitest";
import { alarmTable, fallbacks, faults, listAlarms } from "../../lib/assess/alarms/alarm-table.ts";
import { alarmSettings } from "../../lib/config/assessment-settings.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { configure } from "./configuration.ts";
import { type Message, playAlarms } from "./play-alarms.ts";
import { type Check, simulateChecks, startMs, type World } from "./simulate-checks.ts";
import { synthesise } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";
const { resources } = synthesise(configure());
const always = synthesise(configure({ aws: { alarms: { notify: "always" } } })).resources;
const paused = synthesise(configure({ aws: { enabled: false } })).resources;

const aboutV1 = listAlarms(alarmTable(alarmSettings(configure())));

/** A day without faults comes first; then every alarm has its data. */
const warmUp = 1_440;
/** When a fault begins: at noon of the second day. */
const noon = warmUp + 720;

const play = (world: World, from = resources) =>
  playAlarms({
    resources: from,
    series: simulateChecks(world),
    startMs,
    minutes: world.days * 1_440,
    fromMinute: warmUp,
  });
const raisedBy = (world: World, from = resources) => {
  const { changes } = play(world, from);
  return [...new Set(changes.filter(({ state }) => state === "ALARM").map(({ alarm }) => alarm))].sort();
};
const each = (id: string) => endpointIds.map((endpoint) => `${id}-${endpoint}`);
const heardBy = (messages: readonly Message[], topic: string) =>
  [
    ...new Set(
      messages
        .filter((message) => message.topic === topic && message.state === "ALARM")
        .map(({ alarm }) => alarm),
    ),
  ].sort();

test("A calm month with 1 % of random errors raises no alarm and notifies nobody", () => {
  const seed = Number(process.env.V1WATCH_SEED ?? 1);
  const { changes, messages, final } = play({ days: 30, seed, errorShare: 0.01 });
  expect(changes.filter(({ state }) => state === "ALARM")).toEqual([]);
  expect(messages).toEqual([]);
  const { "drill-lost": _, ...states } = Object.fromEntries(final);
  expect(new Set(Object.values(states))).toEqual(new Set(["OK"]));
});

type Fault = {
  check(minute: number, endpoint: EndpointId, index: number): Partial<Check>;
  /** All alarms about V1 that fire within a day and a half, and none besides. */
  raises: string[];
  fallbacks: string[];
  /** When the first of them fires at the latest, in minutes. */
  within: number;
};
const onlyOn = (wanted: EndpointId, found: Partial<Check>) => (endpoint: EndpointId) =>
  endpoint === wanted ? found : {};
const retyped = onlyOn("passport", { breaking: 2 });

/** What an engineer expects of each fault. Times are those of the default cadence, a check every 36 minutes. */
const expectations: Record<string, Fault> = {
  "V1 is down": {
    check: () => ({ outcome: "failed" }),
    raises: [...each("request-failures"), ...each("failure-rate")],
    fallbacks: ["fallback-failing"],
    within: 110,
  },
  "one endpoint is down": {
    check: (_, endpoint) => (endpoint === "passport" ? { outcome: "failed" } : {}),
    raises: ["failure-rate-passport", "request-failures-passport"],
    fallbacks: ["fallback-failing"],
    within: 110,
  },
  "the key is refused": {
    check: () => ({ outcome: "401" }),
    raises: [...each("unauthorized"), ...each("unauthorized-rate")],
    fallbacks: ["fallback-failing"],
    within: 110,
  },
  "every fourth check gets 401": {
    check: (_, __, index) => (index % 4 === 0 ? { outcome: "401" } : {}),
    raises: each("unauthorized-rate"),
    fallbacks: ["fallback-rates"],
    within: 1_000,
  },
  "every fourth check fails": {
    check: (_, __, index) => (index % 4 === 0 ? { outcome: "failed" } : {}),
    raises: each("failure-rate"),
    fallbacks: ["fallback-rates"],
    within: 1_000,
  },
  "a field changes its type": {
    check: (_, endpoint) => retyped(endpoint),
    raises: ["breaking-drift-passport"],
    fallbacks: ["fallback-other"],
    within: 220,
  },
  "the data is a month old": {
    check: () => ({ newestSeconds: 30 * 86_400 }),
    raises: ["stale-data-passport-list"],
    fallbacks: ["fallback-other"],
    within: 110,
  },
  "V1 is slow": {
    check: () => ({ latencyMs: 9_000 }),
    raises: ["slow-passport-list"],
    fallbacks: ["fallback-other"],
    within: 220,
  },
  "a Sunset in 20 days is announced": {
    check: () => ({ daysToRetirement: 20 }),
    raises: ["retirement-near"],
    fallbacks: ["fallback-other"],
    within: 80,
  },
  "the certificate expires in a week": {
    check: () => ({ certificateDays: 7 }),
    raises: ["certificate-expiring"],
    fallbacks: ["fallback-other"],
    within: 80,
  },
};
const days = 3;
const during =
  ({ check }: Fault): NonNullable<World["check"]> =>
  (minute, endpoint, index) =>
    minute < noon ? {} : check(minute, endpoint, index);

describe.each(Object.entries(expectations))("%s", (_name, fault) => {
  test("Every fault raises the alarms that an engineer expects, in time, and nobody is told twice", () => {
    const { changes, messages } = play({ days, check: during(fault) });
    const raised = changes.filter(({ state }) => state === "ALARM");
    expect(raised.map(({ alarm }) => alarm).sort()).toEqual([...fault.raises].sort());
    expect((raised[0]?.minute ?? Infinity) - noon).toBeLessThanOrEqual(fault.within);
    // The assessment reports it.
    expect(messages).toEqual([]);
  });

  test("Every fault is told once to both topics by CloudWatch alone where the assessment is broken", () => {
    const { messages } = play({
      days,
      check: during(fault),
      assessment: (minute) => (minute < noon ? "completes" : "throws"),
    });
    expect(heardBy(messages, "Alerts")).toEqual(fault.fallbacks);
    expect(heardBy(messages, "Watch")).toEqual([...fault.fallbacks, "v1watch-unhealthy"]);
    for (const name of fault.fallbacks)
      expect(messages.filter(({ alarm, topic }) => alarm === name && topic === "Alerts")).toHaveLength(1);
  });

  // Where alarms.notify is "never" no alarm about V1 has an action: alarms.test.ts.
  test('Every fault is told with its end where alarms.notify is "always"', () => {
    const end = noon + 1_440;
    const check: World["check"] = (minute, endpoint, index) =>
      minute < end ? during(fault)(minute, endpoint, index, "authenticated") : {};
    const { messages } = play({ days: 5, check }, always);
    for (const topic of ["Alerts", "Watch"]) {
      const own = messages.filter((message) => message.topic === topic);
      expect(heardBy(own, topic)).toEqual([...fault.raises].sort());
      for (const alarm of fault.raises)
        expect(own.filter((message) => message.alarm === alarm).map(({ state }) => state)).toEqual([
          "ALARM",
          "OK",
        ]);
    }
  });
});

test("Every kind of fault has been played", () => {
  const raised = Object.values(expectations).flatMap(({ raises }) => raises);
  const played = aboutV1.filter(({ name }) => raised.includes(name)).map(({ row }) => row.fault);
  expect(new Set(played)).toEqual(new Set(Object.keys(faults)));
  const told = new Set(Object.values(expectations).flatMap((one) => one.fallbacks));
  expect([...told].sort()).toEqual(
    Object.keys(fallbacks)
      .map((kind) => `fallback-${kind}`)
      .sort(),
  );
});

describe("where the assessment is broken", () => {
  const assessment: World["assessment"] = (minute) => (minute < noon ? "completes" : "throws");
  const statesOf = (messages: readonly Message[], name: string) =>
    messages
      .filter(({ alarm, topic }) => alarm === name && topic === "Alerts")
      .map(({ state, minute }) => ({ state, minute }));

  test.each(["401", "ok"] as const)(
    "No alarm ends while every check with the key gets 401, though some checks are made without it and get %s",
    (outcome) => {
      const { changes, messages } = play({
        days: 5,
        check: (minute, _, __, variant) =>
          minute < noon ? {} : { outcome: variant === "anonymous" ? outcome : "401" },
        assessment,
      });
      expect(statesOf(messages, "fallback-failing")).toMatchObject([{ state: "ALARM" }]);
      expect(
        changes.filter(({ alarm, state }) => alarm.startsWith("unauthorized") && state === "OK"),
      ).toEqual([]);
    },
  );

  test("Every outage of a day is told with its end, and not as a rate of that day as well", () => {
    const outages = [noon + 60, noon + 480].map((fromMinute) => [fromMinute, fromMinute + 180] as const);
    const { messages } = play({
      days: 4,
      check: (minute) =>
        outages.some(([from, to]) => minute >= from && minute < to) ? { outcome: "failed" } : {},
      assessment,
    });
    const told = statesOf(messages, "fallback-failing");
    expect(told.map(({ state }) => state)).toEqual(["ALARM", "OK", "ALARM", "OK"]);
    for (const [index, [from, to]] of outages.entries()) {
      expect(told[2 * index]!.minute - from).toBeLessThanOrEqual(110);
      expect(told[2 * index + 1]!.minute - to).toBeLessThanOrEqual(110);
    }
    expect(statesOf(messages, "fallback-rates")).toEqual([]);
  });

  test("A rate that goes on for a day after an outage is told then", () => {
    const { messages } = play({
      days: 5,
      check: (minute, _, index) =>
        (minute >= noon && minute < noon + 240) || (minute >= noon && index % 4 === 0)
          ? { outcome: "failed" }
          : {},
      assessment,
    });
    expect(statesOf(messages, "fallback-failing")).toMatchObject([{ state: "ALARM" }, { state: "OK" }]);
    const [rate, ...others] = statesOf(messages, "fallback-rates");
    expect(rate).toMatchObject({ state: "ALARM" });
    expect(rate!.minute - noon).toBeLessThanOrEqual(240 + 1_440 + 120);
    expect(others).toEqual([]);
  });

  test.each([
    [
      "an outage that begins while the data is stale",
      { newestSeconds: 30 * 86_400 },
      { outcome: "failed" },
      "fallback-failing",
    ],
    [
      "an outage that begins while every fourth check fails",
      "every fourth",
      { outcome: "failed" },
      "fallback-failing",
    ],
    [
      "a drift of one endpoint while another one is down",
      "passport is down",
      { breaking: 2 },
      "fallback-other",
    ],
  ] as const)("A second fault is told as well: %s", (_name, first, second, name) => {
    const later = noon + 2_160;
    const { messages } = play({
      days: 5,
      check: (minute, endpoint, index): Partial<Check> => {
        const isFirst = minute >= noon;
        if (first === "passport is down" && endpoint === "passport")
          return isFirst ? { outcome: "failed" } : {};
        if (first === "every fourth" && isFirst && index % 4 === 0) return { outcome: "failed" };
        const stale = typeof first === "object" && isFirst ? first : {};
        return minute >= later ? { ...stale, ...second } : stale;
      },
      assessment,
    });
    const told = statesOf(messages, name).filter(({ minute, state }) => minute >= later && state === "ALARM");
    expect(told).toHaveLength(1);
    expect(told[0]!.minute - later).toBeLessThanOrEqual(220);
  });
});

test("A near date is not told by CloudWatch after the first deployment, before the assessment has run", () => {
  const { messages, changes } = playAlarms({
    resources,
    series: simulateChecks({
      days: 1,
      check: () => ({ daysToRetirement: 20, certificateDays: 7 }),
      assessment: (minute) => (minute < 5 ? "off" : "completes"),
    }),
    startMs,
    minutes: 1_440,
  });
  expect(changes.map(({ alarm }) => alarm)).toContain("assessment-incomplete");
  expect(heardBy(messages, "Alerts")).toEqual([]);
});

describe("the watch itself", () => {
  const stopsAtNoon = { days: 2 };

  test("A prober that is not started is noticed within a quarter of an hour", () => {
    const { changes, messages } = play({
      ...stopsAtNoon,
      isProbing: (minute, endpoint) => minute < noon || endpoint !== "passport",
    });
    expect(changes).toMatchObject([
      { alarm: "not-running-probe-passport", state: "ALARM" },
      { alarm: "v1watch-unhealthy", state: "ALARM" },
      { alarm: "checks-nothing-probe-passport", state: "ALARM" },
    ]);
    expect(changes[0]!.minute - noon).toBeLessThanOrEqual(15);
    expect(messages).toMatchObject([{ alarm: "v1watch-unhealthy", topic: "Watch" }]);
  });

  test.each(["completes", "throws"] as const)(
    "A lost key is told within three cadences though every function runs, where the assessment %s, and so is its return",
    (how) => {
      const back = noon + 840;
      const { changes, messages } = play({
        days: 3,
        check: (minute) => (minute >= noon && minute < back ? { outcome: "no-secret" } : {}),
        assessment: (minute) => (minute < noon + 240 || minute >= back ? "completes" : how),
      });
      const raised = changes.filter(({ alarm }) => alarm.startsWith("checks-nothing"));
      expect(
        raised
          .filter(({ state }) => state === "ALARM")
          .map(({ alarm }) => alarm)
          .sort(),
      ).toEqual(each("checks-nothing-probe").sort());
      expect(raised[0]!.minute - noon).toBeLessThanOrEqual(125);
      expect(messages.map(({ alarm, state, topic }) => [alarm, state, topic])).toEqual([
        ["v1watch-unhealthy", "ALARM", "Watch"],
        ["v1watch-unhealthy", "OK", "Watch"],
      ]);
      // The errors of the assessment are counted for two hours.
      expect(messages[1]!.minute - back).toBeLessThanOrEqual(how === "throws" ? 125 : 40);
    },
  );

  test("A prober that fails in every run is noticed within minutes, and one that fails only when it checks within two checks", () => {
    const broken = play({
      ...stopsAtNoon,
      proberErrors: (minute, endpoint) => minute >= noon && endpoint === "passport",
    });
    expect(broken.changes[0]).toMatchObject({ alarm: "errors-probe-passport", state: "ALARM" });
    expect(broken.changes[0]!.minute - noon).toBeLessThanOrEqual(5);
    // Each run is repeated once, a minute later.
    const isChecking = (minute: number) => minute >= noon && (minute % 36 === 0 || minute % 36 === 1);
    const checking = play({
      ...stopsAtNoon,
      proberErrors: (minute, endpoint) => endpoint === "passport-list" && isChecking(minute),
    });
    expect(checking.changes[0]).toMatchObject({ alarm: "errors-probe-passport-list", state: "ALARM" });
    expect(checking.changes[0]!.minute - noon).toBeLessThanOrEqual(2 * 36 + 2);
  });

  test("One tick that fails twice alarms nobody", () => {
    const proberErrors = (minute: number, endpoint: EndpointId) =>
      endpoint === "passport" && (minute === noon || minute === noon + 1);
    expect(play({ ...stopsAtNoon, proberErrors }).changes).toEqual([]);
  });

  test("Throttled functions are noticed, and three throttled calls are not", () => {
    const throttled = (count: number) => (minute: number) => minute >= noon && minute < noon + count;
    expect(raisedBy({ ...stopsAtNoon, throttles: throttled(10) })).toEqual(
      [...each("throttles-probe"), "v1watch-unhealthy"].sort(),
    );
    expect(raisedBy({ ...stopsAtNoon, throttles: throttled(3) })).toEqual([]);
  });

  test.each(["off", "throws", "hangs", "rules throw", "cannot deliver"] as const)(
    "An assessment that %s is broken, and is told once while V1 is healthy",
    (how) => {
      const { changes, messages } = play({
        ...stopsAtNoon,
        assessment: (minute) => (minute < noon ? "completes" : how),
      });
      const broken = changes.find(({ alarm }) => alarm === "v1watch-unhealthy");
      expect(broken!.minute - noon).toBeLessThanOrEqual(how === "cannot deliver" ? 95 : 20);
      expect(messages).toMatchObject([{ alarm: "v1watch-unhealthy", state: "ALARM", topic: "Watch" }]);
    },
  );

  test("A single run of the assessment that fails, and a deployment of ten minutes, alarm nobody", () => {
    const short: World["assessment"] = (minute) =>
      minute === noon || (minute > noon + 60 && minute < noon + 71) ? "throws" : "completes";
    expect(play({ ...stopsAtNoon, assessment: short }).changes).toEqual([]);
  });

  test.each([10_800, -600])(
    "Clocks that differ by %d s are told once within an hour, and hold back no other alarm about the watch",
    (skewSeconds) => {
      const { messages } = play({
        days: 4,
        check: (minute) => (minute < noon ? {} : { skewSeconds }),
        isProbing: (minute) => minute < noon + 1_440,
      });
      expect(messages.map(({ alarm, state, topic }) => [alarm, state, topic])).toEqual([
        ["clocks-differ", "ALARM", "Watch"],
        ["v1watch-unhealthy", "ALARM", "Watch"],
      ]);
      expect(messages[0]!.minute - noon).toBeLessThanOrEqual(60);
    },
  );

  test("What is paused notifies nobody", () => {
    const { messages } = play({ days: 2, isProbing: () => false, assessment: () => "off" }, paused);
    expect(messages).toEqual([]);
  });
});
