// The machine's clock against the store and V1's clock, at the boundaries; whole histories with jumps are in clock.test.ts.
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createClockCheck } from "../../../lib/local/store/clock.ts";
import { createDatabase } from "../../../lib/local/store/database.ts";
import { dayMs, minuteMs, startMs } from "../samples.ts";

const hourMs = 60 * minuteMs;
const seconds = (ms: number) => ms / 1_000;

/** A store that was last right at `startMs`, or never, and a machine whose clock shows so much later. */
function open(afterMs: number, rightMs = startMs) {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE metadata (name TEXT PRIMARY KEY, value)");
  db.prepare("INSERT INTO metadata VALUES ('clock_ms', ?)").run(rightMs);
  const clock = { nowMs: startMs + afterMs };
  const checkClock = createClockCheck(createDatabase(db, () => clock.nowMs));
  const check = (skewSeconds: number | undefined) => checkClock(clock.nowMs, skewSeconds);
  const savedMs = () =>
    Number(db.prepare("SELECT value FROM metadata WHERE name = 'clock_ms'").get()?.value) - startMs;
  return { check, clock, savedMs, db };
}

const right = { mayDelete: true, isBehind: false, isDoubtful: false };
const near = { isFar: false };
/** The clock, the store and V1 agree. */
const fine = { ...right, store: near, v1: near };

test.each([
  ["a day later", dayMs - 1, true],
  ["more than a day later", dayMs, false],
  ["an hour earlier", -hourMs + 1, true],
  ["more than an hour earlier", -hourMs, false],
])("A clock that shows %s than the store is right without V1: %s", (_, afterMs, isRight) => {
  const { store, v1, mayDelete, isDoubtful, isBehind } = open(afterMs).check(undefined);
  expect([store?.isFar === false, mayDelete, !isDoubtful]).toEqual([isRight, isRight, isRight]);
  expect(v1).toBeUndefined();
  expect(isBehind).toBe(!isRight && afterMs < 0);
});

test.each([3 * dayMs, 800 * dayMs, -2 * hourMs, -40 * dayMs])(
  "A clock %d ms from the store is followed at once when V1's clock agrees with it to within a day",
  (afterMs) => {
    for (const skewMs of [0, dayMs, -dayMs]) {
      const { check, savedMs } = open(afterMs);
      expect(check(seconds(skewMs))).toMatchObject({
        mayDelete: true,
        isBehind: false,
        store: near,
        v1: near,
      });
      expect(savedMs()).toBe(afterMs);
    }
  },
);

test("V1's clock alone is reported, deletes nothing, and sets nothing: in a new store and in an old one", () => {
  for (const rightMs of [0, startMs])
    for (const skewMs of [-30 * dayMs, dayMs + 1_000, -startMs]) {
      const { check, clock } = open(0, rightMs);
      const { store, v1, ...checked } = check(seconds(skewMs));
      expect(checked).toEqual({ mayDelete: false, isBehind: false, isDoubtful: false });
      expect([store?.isFar, v1?.isFar]).toEqual([rightMs === 0 ? undefined : false, true]);
      expect(clock.nowMs).toBe(startMs);
    }
  expect(open(0).check(seconds(-30 * dayMs)).v1?.text).toBe(
    "V1's clock shows 2026-10-02T00:00Z, which is 30 d behind the clock of this machine. v1watch goes by the clock of this machine. No observation is deleted while they differ.",
  );
});

test("A clock that is ahead is used, reported once, and deletes nothing, with and without V1", () => {
  for (const skewSeconds of [undefined, seconds(-730 * dayMs)]) {
    const { check, clock, savedMs } = open(730 * dayMs);
    const first = check(skewSeconds);
    expect(first).toMatchObject({ mayDelete: false, isBehind: false, isDoubtful: true });
    expect(first).toMatchObject({ store: { isFar: true }, v1: undefined });
    expect(first.store?.text).toContain(
      "2028-10-31T00:00Z, which is 730 d ahead of the last check in the store",
    );
    clock.nowMs += hourMs;
    expect(check(skewSeconds).store?.isFar).toBe(true);
    expect(savedMs()).toBe(0);
    // Set right.
    clock.nowMs = startMs + 2 * hourMs;
    expect(check(0)).toMatchObject({ mayDelete: true, store: near, v1: near });
    clock.nowMs += minuteMs;
    expect(check(0)).toMatchObject(fine);
  }
});

test("A clock before the store is not used, and that is said", () => {
  const { check, clock } = open(-startMs);
  const { store, v1, ...checked } = check(seconds(startMs));
  expect(checked).toEqual({ mayDelete: false, isBehind: true, isDoubtful: true });
  expect([store?.isFar, v1]).toEqual([true, undefined]);
  expect(store?.text).toContain("1970-01-01T00:00Z");
  expect(store?.text).toContain("V1's clock shows 2026-11-01T00:00Z. V1 is checked, but nothing is stored");
  clock.nowMs = startMs + minuteMs;
  expect(check(0)).toMatchObject({ mayDelete: true, isBehind: false, store: near });
});

test("A new store goes by the machine's clock, and deletes nothing until V1's clock agreed once", () => {
  const { check, clock, savedMs } = open(0, 0);
  const unknown = { store: undefined, v1: undefined };
  expect(check(undefined)).toEqual({ ...right, ...unknown, mayDelete: false });
  clock.nowMs -= 400 * dayMs;
  expect(check(undefined)).toMatchObject(unknown);
  clock.nowMs = startMs + hourMs;
  expect(check(undefined).isDoubtful).toBe(true);
  expect(check(0)).toMatchObject(fine);
  expect(savedMs()).toBe(hourMs);
});

test("The time that a machine was suspended is no doubt, unless V1's clock says that it has not passed", () => {
  for (const [skewMs, isDoubtful] of [
    [0, false],
    [-6 * hourMs, false],
    [-7 * hourMs, true],
  ] as const) {
    const { check, clock } = open(0);
    check(0);
    clock.nowMs += 13 * hourMs;
    expect(check(seconds(skewMs))).toMatchObject({ ...fine, isDoubtful });
    clock.nowMs += minuteMs;
    expect(check(seconds(skewMs))).toMatchObject(fine);
  }
});

test("The right time is stored every quarter of an hour", () => {
  const { check, clock, savedMs } = open(0);
  clock.nowMs += 15 * minuteMs - 1;
  check(undefined);
  expect(savedMs()).toBe(0);
  clock.nowMs += 1;
  check(undefined);
  expect(savedMs()).toBe(15 * minuteMs);
});

test("The clock is compared also while the store cannot save", () => {
  const { check, clock, savedMs, db } = open(0);
  db.exec("PRAGMA query_only = 1");
  clock.nowMs += hourMs;
  expect(check(0)).toMatchObject(fine);
  expect(savedMs()).toBe(0);
});
