// The ground truth is CloudWatch's user guide, "Configuring how CloudWatch alarms treat missing data": its two
// tables, its examples of a premature alarm, and "Alarm evaluation" for the periods. `guide` is today's
// page; `formerly` are rows of its older edition that it no longer prints and nowhere contradicts.

import { describe, expect, test } from "vitest";
import { type AlarmRow, type AlarmTarget, alarmTable } from "../../../lib/assess/alarms/alarm-table.ts";
import {
  type AlarmState,
  aggregate,
  type Evidence,
  evaluateAlarm as evaluateFor,
  judge,
} from "../../../lib/assess/alarms/evaluate-alarm.ts";
import type { MetricPoint } from "../../../lib/records/metric-point.ts";
import { shippedAlarmSettings } from "../../config/shipped.ts";
import { fc } from "../../random.ts";

/** Of an alarm without a dimension, unless a target is given. */
const evaluateAlarm = (row: AlarmRow, evidence: Omit<Evidence, "target"> & { target?: AlarmTarget }) =>
  evaluateFor(row, { target: {}, ...evidence });

const minuteMs = 60_000;
const nowMs = Date.parse("2026-11-15T12:00:00Z");

const threeOfThree: AlarmRow = {
  ...alarmTable(shippedAlarmSettings)[0]!,
  targets: [{}],
  signal: { metric: "BudgetLeft", statistic: "Average" },
  periodSeconds: 300,
  evaluationPeriods: 3,
  datapointsToAlarm: 3,
  threshold: 3,
  comparisonOperator: "GreaterThanThreshold",
  treatMissingData: "missing",
};

/** `0 - X - X` as the guide draws it, newest last, as data points in periods of five minutes. */
function draw(picture: string, endMs = nowMs): MetricPoint[] {
  const marks = picture.split(" ");
  return marks.flatMap((mark, index) =>
    mark === "-"
      ? []
      : [
          {
            metric: "BudgetLeft",
            atMs: endMs - (marks.length - index) * 5 * minuteMs + minuteMs,
            values: [mark === "X" ? 9 : 0],
          },
        ],
  );
}

const treatments = ["missing", "ignore", "breaching", "notBreaching"] as const;
const states = ["OK", "ALARM", "INSUFFICIENT_DATA"] as const;
const retain = "retain";
type Expected = AlarmState | typeof retain;

const guide: [of: number, picture: string, ...expected: Expected[]][] = [
  [3, "0 - X - X", "OK", "OK", "OK", "OK"],
  [3, "0 - - - -", "OK", "OK", "OK", "OK"],
  [3, "- - - - -", "INSUFFICIENT_DATA", retain, "ALARM", "OK"],
  [3, "0 X X - X", "ALARM", "ALARM", "ALARM", "ALARM"],
  [3, "- - X - -", "ALARM", retain, "ALARM", "OK"],
  [2, "0 - X - X", "ALARM", "ALARM", "ALARM", "ALARM"],
  [2, "0 0 X 0 X", "ALARM", "ALARM", "ALARM", "ALARM"],
  [2, "0 - X - -", "OK", "OK", "ALARM", "OK"],
  [2, "- - - - 0", "OK", "OK", "ALARM", "OK"],
  [2, "- - - X -", "ALARM", retain, "ALARM", "OK"],
];
const formerly: typeof guide = [
  [3, "- - - - X", "INSUFFICIENT_DATA", retain, "ALARM", "OK"],
  [3, "X - - - -", "ALARM", retain, "ALARM", "OK"],
  [2, "- - - - X", "INSUFFICIENT_DATA", retain, "ALARM", "OK"],
];

describe("missing data", () => {
  for (const [of, picture, ...byTreatment] of [...guide, ...formerly]) {
    test(`${of} of 3 over ${picture} is as CloudWatch's guide says`, () => {
      for (const [index, treatMissingData] of treatments.entries()) {
        for (const previous of states) {
          const row = { ...threeOfThree, datapointsToAlarm: of, treatMissingData };
          const expected = byTreatment[index] === retain ? previous : byTreatment[index];
          expect(evaluateAlarm(row, { points: draw(picture), previous, nowMs }), treatMissingData).toBe(
            expected,
          );
        }
      }
    });
  }

  test("a single breach at the end does not alarm where missing data is treated as missing", () => {
    for (const picture of ["- - - - X", "- - - X -", "- - - X 0", "- - X - 0"]) {
      expect(evaluateAlarm(threeOfThree, { points: draw(picture), previous: "OK", nowMs })).not.toBe("ALARM");
    }
  });

  test("the last good data point prevents a breaching treatment from alarming until it leaves the evaluation range", () => {
    const row: AlarmRow = { ...threeOfThree, treatMissingData: "breaching" };
    const points = draw("0 - - - -");
    const at = (minutes: number) =>
      evaluateAlarm(row, { points, previous: "OK", nowMs: nowMs + minutes * minuteMs });
    expect([at(0), at(1), at(2)]).toEqual(["OK", "OK", "ALARM"]);
  });
});

describe("M of N", () => {
  test("three of three alarms in the fifth period, ends in the sixth, and does not alarm at one later breach", () => {
    // The guide's figure: above the threshold in periods 3 to 5, and in period 9.
    const row = { ...threeOfThree, evaluationPeriods: 3 };
    const points = draw("0 0 X X X 0 0 0 X 0");
    const after = (period: number) =>
      evaluateAlarm(row, { points, previous: "OK", nowMs: nowMs - (10 - period) * 5 * minuteMs });
    const alarming = Array.from({ length: 8 }, (_, index) => index + 3).filter(
      (period) => after(period) === "ALARM",
    );
    expect(alarming).toEqual([5]);
  });

  const mark = fc.constantFrom(9, 0, undefined);
  const drawn = fc.array(mark, { minLength: 1, maxLength: 8 });
  const shape = fc.record({
    values: drawn,
    n: fc.integer({ min: 1, max: 8 }),
    m: fc.integer({ min: 1, max: 8 }),
    treatMissingData: fc.constantFrom(...treatments),
    previous: fc.constantFrom(...states),
  });
  type Shape = { values: (number | undefined)[]; n: number; m: number } & Pick<AlarmRow, "treatMissingData">;
  const rowOf = ({ values, n, m, treatMissingData }: Shape): AlarmRow => {
    const evaluationPeriods = Math.min(n, values.length);
    return {
      ...threeOfThree,
      evaluationPeriods,
      datapointsToAlarm: Math.min(m, evaluationPeriods),
      treatMissingData,
    };
  };

  test("ignores the treatment of missing data where there are enough data points", () => {
    fc.assert(
      fc.property(shape, (drawing) => {
        const row = rowOf(drawing);
        const real = drawing.values.filter((value) => value !== undefined);
        fc.pre(real.length >= row.evaluationPeriods);
        const breaching = real.slice(-row.evaluationPeriods).filter((value) => value > 3).length;
        const expected = breaching >= row.datapointsToAlarm ? "ALARM" : "OK";
        for (const treatMissingData of treatments) {
          expect(judge(drawing.values, { ...row, treatMissingData }, drawing.previous)).toBe(expected);
        }
      }),
    );
  });

  test("never leaves ALARM because of one more breach", () => {
    fc.assert(
      fc.property(shape, fc.nat(7), (drawing, place) => {
        const row = rowOf(drawing);
        fc.pre(drawing.values[place] === 0);
        fc.pre(judge(drawing.values, row, drawing.previous) === "ALARM");
        expect(judge(drawing.values.with(place, 9), row, drawing.previous)).not.toBe("OK");
      }),
    );
  });

  test("keeps the previous state only where data is missing", () => {
    fc.assert(
      fc.property(shape, (drawing) => {
        const row = rowOf(drawing);
        const outcomes = new Set(states.map((previous) => judge(drawing.values, row, previous)));
        if (outcomes.size > 1) {
          expect(row.treatMissingData).toBe("ignore");
          expect(drawing.values).toContain(undefined);
          expect(drawing.values).not.toContain(0);
        }
      }),
    );
  });
});

describe("boundaries", () => {
  test.each([
    ["GreaterThanThreshold", [false, false, true]],
    ["GreaterThanOrEqualToThreshold", [false, true, true]],
    ["LessThanThreshold", [true, false, false]],
    ["LessThanOrEqualToThreshold", [true, true, false]],
  ] as const)("%s", (comparisonOperator, expected) => {
    const row = { ...threeOfThree, evaluationPeriods: 1, datapointsToAlarm: 1, comparisonOperator };
    expect([2.999, 3, 3.001].map((value) => judge([value], row, "OK") === "ALARM")).toEqual(expected);
  });

  const single: AlarmRow = {
    ...threeOfThree,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    threshold: 2,
    comparisonOperator: "GreaterThanOrEqualToThreshold",
    treatMissingData: "notBreaching",
    signal: { metric: "BudgetLeft", statistic: "SampleCount" },
  };
  const point = (atMs: number): MetricPoint => ({ metric: "BudgetLeft", atMs, values: [1] });

  test("periods slide by the minute: minutes 1 to 5, then 2 to 6", () => {
    const points = [point(nowMs), point(nowMs + 4 * minuteMs)];
    const at = (ms: number) => evaluateAlarm(single, { points, previous: "OK", nowMs: nowMs + ms });
    expect(at(4.5 * minuteMs)).toBe("OK"); // the fifth minute is not over
    expect(at(5 * minuteMs)).toBe("ALARM");
    expect(at(5.9 * minuteMs)).toBe("ALARM");
    expect(at(6 * minuteMs)).toBe("OK"); // the first minute left
  });

  test("an alarm over more than a day is evaluated up to the last full hour", () => {
    const row: AlarmRow = { ...single, periodSeconds: 86_400, evaluationPeriods: 3, threshold: 1 };
    const points = [point(nowMs + 2 * minuteMs)];
    const at = (minutes: number) =>
      evaluateAlarm(row, { points, previous: "OK", nowMs: nowMs + minutes * minuteMs });
    expect([at(3), at(59), at(63)]).toEqual(["OK", "OK", "ALARM"]);
  });

  test("only the alarm's own endpoint counts, and other metrics do not", () => {
    const row: AlarmRow = {
      ...single,
      threshold: 1,
      treatMissingData: "missing",
      signal: { metric: "RequestFailed", statistic: "SampleCount" },
    };
    const points: MetricPoint[] = [
      { metric: "RequestFailed", endpoint: "passport", atMs: nowMs - 1, values: [1] },
      { metric: "LatencyMs", endpoint: "passport-list", atMs: nowMs - 1, values: [1] },
    ];
    const of = (endpoint: "passport" | "passport-list") =>
      evaluateAlarm(row, { target: { endpoint }, points, previous: "OK", nowMs });
    expect([of("passport"), of("passport-list")]).toEqual(["ALARM", "INSUFFICIENT_DATA"]);
  });
});

describe("statistics", () => {
  const samples = [4, 1, 3, 2].map((value) => ({ value, count: 1 }));

  test.each([
    ["Sum", 10],
    ["Average", 2.5],
    ["Minimum", 1],
    ["Maximum", 4],
    ["SampleCount", 4],
    ["p50", 2],
    ["p99.9", 4],
  ] as const)("%s of 1, 2, 3, 4 is %d", (statistic, expected) => {
    expect(aggregate(samples, statistic)).toBe(expected);
    expect(aggregate([], statistic)).toBeUndefined();
  });

  test("values with counts are the same as the values one by one", () => {
    const counted = fc.array(fc.record({ value: fc.integer(), count: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        counted,
        fc.constantFrom("Sum", "Average", "SampleCount", "p50", "p95"),
        (rows, statistic) => {
          const single = rows.flatMap(({ value, count }) =>
            Array.from({ length: count }, () => ({ value, count: 1 })),
          );
          expect(aggregate(rows, statistic)).toBeCloseTo(aggregate(single, statistic)!, 5);
        },
      ),
    );
  });
});
