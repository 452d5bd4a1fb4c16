import { describe, expect, test } from "vitest";
import {
  isInMaintenance,
  type MaintenanceWindow,
  maintenanceUntil,
  maintenanceWindow,
} from "../../lib/records/maintenance.ts";

const windowOf = (change: object): MaintenanceWindow[] => [
  maintenanceWindow.parse({ from: "22:00", to: "02:00", ...change }),
];
const at = (text: string) => Date.parse(text);

describe("a maintenance window", () => {
  test("A maintenance window goes on after midnight, and belongs to the day on which it began", () => {
    // 2026-11-14 is a Saturday.
    const windows = windowOf({ days: ["sat"] });
    const cases: [string, boolean][] = [
      ["2026-11-14T21:59:59Z", false],
      ["2026-11-14T22:00:00Z", true],
      ["2026-11-15T01:59:00Z", true],
      ["2026-11-15T02:00:00Z", false],
      ["2026-11-14T01:00:00Z", false],
      ["2026-11-15T22:30:00Z", false],
    ];
    for (const [text, expected] of cases) expect(isInMaintenance(windows, at(text)), text).toBe(expected);
    expect(maintenanceUntil(windows, at("2026-11-14T23:10:00Z"))).toBe("2026-11-15T02:00:00.000Z");
    expect(maintenanceUntil(windows, at("2026-11-15T03:00:00Z"))).toBeUndefined();
  });

  test("A maintenance window follows the clock of its time zone through the change to summer time", () => {
    const windows = windowOf({ from: "09:00", to: "10:00", timeZone: "Europe/Berlin" });
    expect(isInMaintenance(windows, at("2026-03-28T08:30:00Z"))).toBe(true);
    expect(isInMaintenance(windows, at("2026-03-30T08:30:00Z"))).toBe(false);
    expect(isInMaintenance(windows, at("2026-03-30T07:30:00Z"))).toBe(true);
  });

  test("A maintenance window has days, times of day and a time zone that exist", () => {
    for (const bad of [
      { days: [] },
      { days: ["monday"] },
      { from: "24:00" },
      { to: "8:00" },
      { timeZone: "Mars" },
    ])
      expect(maintenanceWindow.safeParse({ from: "22:00", to: "02:00", ...bad }).success).toBe(false);
  });
});

test("A maintenance window that comes once has a start and an end, and may be followed by one of the week.", () => {
  const once = { start: "2026-11-14T20:00:00+01:00", end: "2026-11-14T22:30:00Z" };
  const windows = [maintenanceWindow.parse(once), ...windowOf({ days: ["sat"] })];
  const cases: [string, boolean][] = [
    ["2026-11-14T18:59:59Z", false],
    ["2026-11-14T19:00:00Z", true],
    ["2026-11-15T01:59:00Z", true],
    ["2026-11-15T02:00:00Z", false],
    // A week later only that of the week is open.
    ["2026-11-21T21:00:00Z", false],
    ["2026-11-21T22:00:00Z", true],
  ];
  for (const [text, expected] of cases) expect(isInMaintenance(windows, at(text)), text).toBe(expected);
  expect(maintenanceUntil(windows, at("2026-11-14T19:10:00Z"))).toBe("2026-11-15T02:00:00.000Z");
  const long = [maintenanceWindow.parse({ start: "2026-01-01T00:00:00Z", end: "2026-03-01T12:34:56Z" })];
  expect(maintenanceUntil(long, at("2026-01-01T10:00:00Z"))).toBe("2026-03-01T12:34:56.000Z");
  for (const bad of [
    { start: once.end, end: once.start },
    { start: once.start, end: once.start },
    { start: once.start },
    { ...once, days: ["sat"] },
    { start: "2026-11-14", end: once.end },
  ])
    expect(maintenanceWindow.safeParse(bad).success, JSON.stringify(bad)).toBe(false);
});
