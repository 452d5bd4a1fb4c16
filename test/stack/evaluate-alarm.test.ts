// The ground truth is CloudWatch's user guide, "Configuring how CloudWatch alarms treat missing data": its two
// tables, its examples of a premature alarm, and "Alarm evaluation" for the periods. `guide` is today's
// page; `formerly` are rows of its older edition that it no longer prints and nowhere contradicts.

import { describe, expect, test } from "vitest";
import { fc } from "../random.ts";
import {
  type AlarmDefinition,
  type AlarmState,
  aggregate,
  evaluateAlarm,
  judge,
  type Sample,
} from "./evaluate-alarm.ts";

const minuteMs = 60_000;
const nowMs = Date.parse("2026-11-15T12:00:00Z");

const threeOfThree: AlarmDefinition = {
  Statistic: "Average",
  Period: 300,
  EvaluationPeriods: 3,
  DatapointsToAlarm: 3,
  Threshold: 3,
  ComparisonOperator: "GreaterThanThreshold",
  TreatMissingData: "missing",
};

/** `0 - X - X` as the guide draws it, newest last, as data points in periods of five minutes. */
function draw(picture: string, endMs = nowMs): Sample[] {
  const marks = picture.split(" ");
  return marks.flatMap((mark, index) =>
    mark === "-"
      ? []
      : [{ atMs: endMs - (marks.length - index) * 5 * minuteMs + minuteMs, value: mark === "X" ? 9 : 0 }],
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
    test(`With missing data, ${of} of 3 over ${picture} is as CloudWatch's guide says`, () => {
      for (const [index, TreatMissingData] of treatments.entries()) {
        for (const previous of states) {
          const row = { ...threeOfThree, DatapointsToAlarm: of, TreatMissingData };
          const expected = byTreatment[index] === retain ? previous : byTreatment[index];
          expect(evaluateAlarm(row, draw(picture), previous, nowMs), TreatMissingData).toBe(expected);
        }
      }
    });
  }

  test("A single breach at the end does not alarm where missing data is treated as missing", () => {
    for (const picture of ["- - - - X", "- - - X -", "- - - X 0", "- - X - 0"]) {
      expect(evaluateAlarm(threeOfThree, draw(picture), "OK", nowMs)).not.toBe("ALARM");
    }
  });

  test("The last good data point prevents a breaching treatment from alarming until it leaves the evaluation range", () => {
    const row = { ...threeOfThree, TreatMissingData: "breaching" };
    const points = draw("0 - - - -");
    const at = (minutes: number) => evaluateAlarm(row, points, "OK", nowMs + minutes * minuteMs);
    expect([at(0), at(1), at(2)]).toEqual(["OK", "OK", "ALARM"]);
  });
});

describe("M of N", () => {
  test("Three of three alarms in the fifth period, ends in the sixth, and does not alarm at one later breach", () => {
    // The guide's figure: above the threshold in periods 3 to 5, and in period 9.
    const points = draw("0 0 X X X 0 0 0 X 0");
    const after = (period: number) =>
      evaluateAlarm(threeOfThree, points, "OK", nowMs - (10 - period) * 5 * minuteMs);
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
    TreatMissingData: fc.constantFrom(...treatments),
    previous: fc.constantFrom(...states),
  });
  type Shape = { values: (number | undefined)[]; n: number; m: number; TreatMissingData: string };
  const rowOf = ({ values, n, m, TreatMissingData }: Shape): AlarmDefinition => {
    const EvaluationPeriods = Math.min(n, values.length);
    return {
      ...threeOfThree,
      EvaluationPeriods,
      DatapointsToAlarm: Math.min(m, EvaluationPeriods),
      TreatMissingData,
    };
  };

  test("M of N ignores the treatment of missing data where there are enough data points", () => {
    fc.assert(
      fc.property(shape, (drawing) => {
        const row = rowOf(drawing);
        const real = drawing.values.filter((value) => value !== undefined);
        fc.pre(real.length >= row.EvaluationPeriods);
        const breaching = real.slice(-row.EvaluationPeriods).filter((value) => value > 3).length;
        const expected = breaching >= row.DatapointsToAlarm ? "ALARM" : "OK";
        for (const TreatMissingData of treatments) {
          expect(judge(drawing.values, { ...row, TreatMissingData }, drawing.previous)).toBe(expected);
        }
      }),
    );
  });

  test("M of N never leaves ALARM because of one more breach", () => {
    fc.assert(
      fc.property(shape, fc.nat(7), (drawing, place) => {
        const row = rowOf(drawing);
        fc.pre(drawing.values[place] === 0);
        fc.pre(judge(drawing.values, row, drawing.previous) === "ALARM");
        expect(judge(drawing.values.with(place, 9), row, drawing.previous)).not.toBe("OK");
      }),
    );
  });

  test("M of N keeps the previous state only where data is missing", () => {
    fc.assert(
      fc.property(shape, (drawing) => {
        const row = rowOf(drawing);
        const outcomes = new Set(states.map((previous) => judge(drawing.values, row, previous)));
        if (outcomes.size > 1) {
          expect(row.TreatMissingData).toBe("ignore");
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
  ] as const)(
    "An alarm with %s breaches at the threshold as its name says",
    (ComparisonOperator, expected) => {
      const row = { ...threeOfThree, EvaluationPeriods: 1, DatapointsToAlarm: 1, ComparisonOperator };
      expect([2.999, 3, 3.001].map((value) => judge([value], row, "OK") === "ALARM")).toEqual(expected);
    },
  );

  const single: AlarmDefinition = {
    ...threeOfThree,
    Statistic: "SampleCount",
    EvaluationPeriods: 1,
    DatapointsToAlarm: 1,
    Threshold: 2,
    ComparisonOperator: "GreaterThanOrEqualToThreshold",
    TreatMissingData: "notBreaching",
  };

  test("Periods slide by the minute: minutes 1 to 5, then 2 to 6", () => {
    const points = [nowMs, nowMs + 4 * minuteMs].map((atMs) => ({ atMs, value: 1 }));
    const at = (ms: number) => evaluateAlarm(single, points, "OK", nowMs + ms);
    expect(at(4.5 * minuteMs)).toBe("OK"); // the fifth minute is not over
    expect(at(5 * minuteMs)).toBe("ALARM");
    expect(at(5.9 * minuteMs)).toBe("ALARM");
    expect(at(6 * minuteMs)).toBe("OK"); // the first minute left
  });

  test("An alarm over more than a day is evaluated up to the last full hour", () => {
    const row = { ...single, Period: 86_400, EvaluationPeriods: 3, Threshold: 1 };
    const points = [{ atMs: nowMs + 2 * minuteMs, value: 1 }];
    const at = (minutes: number) => evaluateAlarm(row, points, "OK", nowMs + minutes * minuteMs);
    expect([at(3), at(59), at(63)]).toEqual(["OK", "OK", "ALARM"]);
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
  ] as const)("The statistic %s of 1, 2, 3, 4 is %d", (statistic, expected) => {
    expect(aggregate(samples, statistic)).toBe(expected);
    expect(aggregate([], statistic)).toBeUndefined();
  });

  test("Values with counts are the same as the values one by one", () => {
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
