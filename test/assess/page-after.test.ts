// alerts.pageAfter means what it says: a page about all endpoints needs bad checks over that time, and no less.
import { expect, test } from "vitest";
import { foldTick } from "../../lib/assess/fold.ts";
import { freshState } from "../../lib/assess/state.ts";
import { type Service, settings, startMs, watch } from "./driver.ts";
import { hourMs, minuteMs, tickOf } from "./observation-builder.ts";

/** After an hour of good checks, bad ones at these instants; those at which a page was opened, in seconds after the first. */
function pagesAt(pageAfterMs: number | undefined, badSeconds: readonly number[]): number[] {
  const state = freshState();
  const given = { ...settings, pageAfterMs };
  for (let minute = 0; minute < 60; minute += 12) foldTick(state, tickOf(startMs + minute * minuteMs), given);
  const firstMs = startMs + 60 * minuteMs;
  return badSeconds.filter((second) =>
    foldTick(state, tickOf(firstMs + second * 1_000, { status: 503 }), given).some(
      ({ event, incident }) => event === "opened" && incident.severity === "page",
    ),
  );
}

test.each([
  [undefined, 300],
  [5 * minuteMs, 300],
  [10 * minuteMs, 600],
  [minuteMs, 60],
  [10_000, 10],
])(
  "A pageAfter of %s ms opens a page with bad checks over %i s, and not with bad checks over 9 tenths of it",
  (pageAfterMs, seconds) => {
    const early = seconds * 0.9;
    expect(pagesAt(pageAfterMs, [0, early / 2, early, seconds])).toEqual([seconds]);
  },
);

test("Checks that are made some seconds late or early open a page all the same", () => {
  expect(pagesAt(5 * minuteMs, [0, 60, 293])).toEqual([293]);
  expect(pagesAt(10_000, [0, 4, 9.7])).toEqual([9.7]);
});

test("A longer pageAfter delays the page, and neither another cause nor the end", () => {
  const service: Service = ({ atMs }) => {
    const hour = (atMs - startMs) / hourMs;
    return hour < 6 || hour >= 10 ? {} : { status: hour < 8 ? 503 : 403 };
  };
  const messagesAfter = (pageAfterMs: number) =>
    watch(service, { days: 0.5, settings: { pageAfterMs } }).events.map(
      ({ event, incident, at }) => `${event} ${incident.rule} ${at}`,
    );
  const [opened, ...later] = messagesAfter(5 * minuteMs);
  const [delayed, ...others] = messagesAfter(15 * minuteMs);
  expect(delayed! > opened!).toBe(true);
  expect(later.map((line) => line.split(" ", 2).join(" "))).toEqual([
    "changed access-refused",
    "resolved access-refused",
  ]);
  expect(others).toEqual(later);
});
