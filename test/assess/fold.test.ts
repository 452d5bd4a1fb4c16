import { expect, test } from "vitest";
import { foldTick, groupTicks, tickOf } from "../../lib/assess/fold.ts";
import { freshState } from "../../lib/assess/state.ts";
import type { Finding } from "../../lib/records/observation.ts";
import { hourMs, minuteMs, observationOf, tickOf as tickAt } from "./observation-builder.ts";
import { replaySettings } from "./replay.ts";
import { watch } from "./timeline.ts";

const startMs = Date.parse("2026-03-02T00:00:00Z");

test("ticks are ordered by time, whatever the order of their observations", () => {
  const observations = watch(startMs, startMs + 6 * hourMs, []);
  const inOrder = groupTicks(observations).map((tick) => tickOf(tick[0]!));
  const backwards = groupTicks(observations.toReversed()).map((tick) => tickOf(tick[0]!));
  expect(backwards).toEqual(inOrder);
  expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
  expect(inOrder).toHaveLength(12);
});

test("an id without a readable tick falls back to the time of the observation", () => {
  expect(tickOf({ id: "passport/authenticated/some-day", at: "2026-03-02T00:00:00.000Z" })).toBe(startMs);
});

test("a tick that arrives in two parts counts once", () => {
  const state = freshState();
  const [list, ...others] = tickAt(startMs, { notices: { sunset: "2026-12-31T00:00:00.000Z" } });
  for (const part of [[list!], others]) foldTick(state, part, replaySettings);
  expect(state.incidents["retirement/announced"]?.incident).toMatchObject({
    state: "pending",
    confirmations: 1,
  });
  foldTick(state, tickAt(startMs + hourMs, { notices: list!.notices }), replaySettings);
  expect(state.incidents["retirement/announced"]?.incident.state).toBe("open");
});

const missing = (path: string): Finding => ({
  ...{ id: `passport ${path} missing`, path, kind: "missing", expected: "number", observed: "absent" },
  ...{ count: 1, of: 1, level: "breaking" },
});
const evidence = [{ gap: "2.6-null" as const, subject: "passport", of: 1, answers: {} }];
const looks = (fields: readonly string[], omitted = 0) => ({
  endpoint: "passport" as const,
  evidence,
  findings: fields.map((field) => missing(`passport.${field}`)),
  findingsOmitted: omitted,
});

/** The events of drift, with one tick every half hour. */
function drift(...rows: ReturnType<typeof looks>[]) {
  const state = freshState();
  return rows.flatMap((row, index) => {
    const observation = observationOf({ ...row, at: startMs + index * 30 * minuteMs });
    return foldTick(state, [observation], replaySettings)
      .filter(({ incident }) => incident.cause === "drift/breaking")
      .map(({ event }) => event);
  });
}

const repeat = (times: number, row: ReturnType<typeof looks>) => Array.from({ length: times }, () => row);
const long = Array.from({ length: 8 }, (_, index) => `a_field_with_a_long_name_of_its_own_${index}`);

test("one more missing field is reported, however many are missing already", () => {
  const events = drift(
    ...repeat(6, looks([])),
    ...repeat(6, looks(long)),
    ...repeat(6, looks([...long, "z_last"])),
  );
  expect(events).toEqual(["opened", "changed"]);
});

test("a finding that was omitted from a full observation is not over", () => {
  const events = drift(...repeat(6, looks([])), ...repeat(6, looks(["score"])), ...repeat(20, looks([], 3)));
  expect(events).not.toContain("resolved");
});
