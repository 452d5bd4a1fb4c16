import { describe, expect, test } from "vitest";
import {
  evaluateFrozen,
  evaluateJumpedBack,
  evaluatePartlyFrozen,
  evaluateWithoutValues,
} from "../../../lib/assess/rules/freshness.ts";
import type { Incident } from "../../../lib/records/incident.ts";
import { hourMs, minuteMs } from "../observation-builder.ts";
import { at, contextOf, every, historyOf, incidentOf, iso, list, type Row } from "./check-history.ts";

const hour = 60;
const day = 24 * hour;
const unknown = [{ state: "unknown" }];
const warning = (rule: string) => ({
  state: "active",
  rule,
  severity: "warning",
  scope: "endpoint",
  endpoints: [list],
  isConfirmed: true,
});
/** A check at `minutes` whose newest date is that of `newest`. */
const dated = (minutes: number, newest: number): Row => [
  minutes,
  {
    staleness: {
      ages: { newest: (minutes - newest) * 60, p50: 86_400, p95: 864_000, oldest: 2_000_000 },
    },
  },
];
type Given = Parameters<typeof contextOf>[1];

describe("a newest date that stands still", () => {
  const evaluate = (rows: readonly Row[], given: Given = {}) =>
    evaluateFrozen(contextOf(historyOf(rows), given));
  /** Moves every `gap` hours for so many days, with a check an hour, and then stands still for some hours. */
  const moving = (days: number, gap: number, stillHours: number): Row[] => {
    const untilMinutes = days * day;
    return every(hour, 0, untilMinutes + stillHours * hour).map(([minutes]) =>
      dated(minutes, Math.min(untilMinutes, Math.floor(minutes / (gap * hour)) * gap * hour)),
    );
  };

  test("is reported after 72 h in the first week", () => {
    expect(evaluate(moving(2, 2, 72))).toMatchObject([{ state: "inactive" }]);
    expect(evaluate(moving(2, 2, 73))).toEqual([
      {
        ...warning("frozen"),
        key: iso(2 * day),
        firstBadMs: at(2 * day + hour),
        lastGoodMs: at(2 * day),
        lastBadMs: at(5 * day + hour),
        bad: 73,
        total: 73,
        windowMs: 72 * hourMs,
        facts: {
          newestDate: iso(2 * day),
          standsStillSeconds: 73 * 3_600,
          limitSeconds: 72 * 3_600,
          longestGapSeconds: 2 * 3_600,
        },
      },
    ]);
  });

  test("that never moved has no ordinary gap", () => {
    const [one] = evaluate(every(hour, hour, 74 * hour).map(([minutes]) => dated(minutes, 0)));
    expect(one).toMatchObject({ state: "active", facts: { standsStillSeconds: 74 * 3_600 } });
    expect(one).not.toHaveProperty("facts.longestGapSeconds");
    const old = every(hour, hour, 74 * hour).map(([minutes]) => dated(minutes, -2 * day));
    expect(evaluate(old)).toMatchObject([{ facts: { standsStillSeconds: (74 + 48) * 3_600 } }]);
  });

  test("is reported after 36 h, and after one and a half times the longest ordinary gap, later", () => {
    expect(evaluate(moving(8, 2, 36))).toEqual([{ state: "inactive" }]);
    expect(evaluate(moving(8, 2, 37))).toMatchObject([
      { state: "active", facts: { limitSeconds: 36 * 3_600, longestGapSeconds: 7_200 } },
    ]);
    expect(evaluate(moving(8, 48, 72))).toMatchObject([{ state: "inactive" }]);
    expect(evaluate(moving(8, 48, 73))).toMatchObject([{ facts: { limitSeconds: 72 * 3_600 } }]);
  });

  test("is reported after 7 days, however long the gaps were", () => {
    const gaps = moving(24, 8 * 24, 0);
    const still = (hours: number) => every(hour, 24 * day + hour, 24 * day + hours * hour);
    const rows = (hours: number) => [...gaps, ...still(hours).map(([minutes]) => dated(minutes, 24 * day))];
    expect(evaluate(rows(7 * 24))).toMatchObject([{ state: "inactive" }]);
    expect(evaluate(rows(7 * 24 + 1))).toMatchObject([{ facts: { limitSeconds: 7 * 86_400 } }]);
  });

  test("is reported after the user's own limit, where there is one", () => {
    const settings = { frozenAfterMs: 5 * hourMs };
    expect(evaluate(moving(2, 2, 5), { settings })).toEqual([{ state: "inactive" }]);
    expect(evaluate(moving(2, 2, 6), { settings })).toMatchObject([{ facts: { limitSeconds: 18_000 } }]);
  });

  test("is unknown while the list fails, without dates, and after a date that jumped back", () => {
    const rows = moving(2, 2, 73);
    expect(evaluate([...rows, [5 * day + 2 * hour, { status: 503 }]])).toEqual(unknown);
    expect(evaluate([])).toEqual(unknown);
    expect(evaluate(every(10, 0, 30, { staleness: null }))).toEqual(unknown);
    expect(evaluate(rows, { incidents: [incidentOf("date-jumped-back")] })).toEqual(unknown);
    const back = (minutes: number) => [
      ...moving(2, 2, 70),
      ...every(hour, 5 * day - hour, 5 * day + 3 * hour).map(([m]) => dated(m, 2 * day - minutes)),
    ];
    expect(evaluate(back(day))).toEqual(unknown);
    // Less than a day back is no jump.
    expect(evaluate(back(day - 1))).toEqual([{ state: "inactive" }]);
  });

  test("is not interrupted by two hours with another date", () => {
    const rows = (hours: number) =>
      moving(8, 2, 40).map(([minutes, one]): Row => {
        const isStray = minutes > 8 * day + 20 * hour && minutes <= 8 * day + (20 + hours) * hour;
        return isStray ? dated(minutes, 8 * day - 3 * hour) : [minutes, one];
      });
    expect(evaluate(rows(2))).toMatchObject([{ facts: { standsStillSeconds: 40 * 3_600 } }]);
  });

  test("is still the same date when it differs by up to a minute", () => {
    // The date is a day old or older, so that it counts from when it was first seen.
    const rows = (beside: number) =>
      every(hour, 0, 50 * hour).map(([minutes]) =>
        dated(minutes, minutes < 25 * hour ? -2 * day : -2 * day + beside),
      );
    const still = (beside: number) => evaluate(rows(beside), { settings: { frozenAfterMs: hourMs } });
    expect(still(1)).toMatchObject([{ facts: { standsStillSeconds: 98 * 3_600 - 60 } }]);
    expect(still(1.1)).toMatchObject([{ facts: { standsStillSeconds: 26 * 3_600 } }]);
  });

  test("counts from when it was first seen where the data lags behind by a day or more", () => {
    /** The newest date is always so many hours old, until it stands still. */
    const lagging = (lag: number, stillHours: number) =>
      every(hour, 0, 8 * day + stillHours * hour).map(([minutes]) =>
        dated(minutes, Math.min(minutes, 8 * day) - lag * hour),
      );
    expect(evaluate(lagging(25, 20))).toEqual([{ state: "inactive" }]);
    // Since the hour before the first one that showed it.
    expect(evaluate(lagging(25, 36))).toMatchObject([{ facts: { standsStillSeconds: 37 * 3_600 } }]);
    expect(evaluate(lagging(24, 36))).toMatchObject([{ facts: { standsStillSeconds: 60 * 3_600 } }]);
  });

  describe("and was reported", () => {
    const firing = incidentOf("frozen", {
      since: iso(8 * day),
      severity: "warning",
      facts: { newestDate: iso(8 * day) },
    });

    test("keeps its onset for as long as the date is the same", () => {
      const given = { incidents: [firing] };
      expect(evaluate(moving(8, 2, 10), given)).toMatchObject([
        { state: "active", firstBadMs: at(8 * day), facts: { standsStillSeconds: 10 * 3_600 } },
      ]);
    });

    test("ends with the first check of a later date", () => {
      const rows = [...moving(8, 2, 40), ...[1, 2].map((n) => dated(10 * day + n * hour, 10 * day + hour))];
      expect(evaluate(rows, { incidents: [firing] })).toEqual([
        { state: "inactive", firstGoodMs: at(10 * day + hour), good: 2, lastMs: at(10 * day + 2 * hour) },
      ]);
    });

    test("its gap is ordinary only once a second like it has ended", () => {
      const hours = (gaps: readonly number[]) => {
        let newest = 8 * day;
        const rows = [...moving(8, 2, 0)];
        for (const gap of gaps) {
          rows.push(...every(hour, newest + hour, newest + (gap - 1) * hour).map(([m]) => dated(m, newest)));
          newest += gap * hour;
          rows.push(dated(newest, newest));
        }
        rows.push(...every(hour, newest + hour, newest + 37 * hour).map(([m]) => dated(m, newest)));
        return rows;
      };
      const one = {
        ...firing,
        state: "resolved" as const,
        since: iso(8 * day + 37 * hour),
        resolvedAt: iso(8 * day + 48 * hour),
      };
      const two = {
        ...one,
        since: iso(10 * day + 37 * hour),
        resolvedAt: iso(10 * day + 44 * hour),
      };
      expect(evaluate(hours([48]), { incidents: [one] })).toMatchObject([
        { state: "active", facts: { limitSeconds: 36 * 3_600, longestGapSeconds: 7_200 } },
      ]);
      expect(evaluate(hours([48]))).toMatchObject([{ state: "inactive" }]);
      // An earlier one that was over before is another gap.
      const earlier = { ...one, since: iso(6 * day), resolvedAt: iso(7 * day) };
      expect(evaluate(hours([48]), { incidents: [earlier] })).toMatchObject([{ state: "inactive" }]);
      // One that was never opened was not reported.
      const { openedAt: _, ...unopened } = one;
      expect(evaluate(hours([48]), { incidents: [unopened] })).toMatchObject([{ state: "inactive" }]);
      // The longer one of two is left out: one and a half times 44 h.
      expect(evaluate(hours([48, 44]), { incidents: [one, two] })).toMatchObject([{ state: "inactive" }]);
    });

    test("a gap across a hole of more than 6 h in the watch is none", () => {
      const holed = (hole: number) => [
        ...moving(8, 2, 20),
        ...every(hour, 8 * day + (20 + hole) * hour, 8 * day + 30 * hour).map(([m]) => dated(m, 8 * day)),
        ...every(hour, 8 * day + 31 * hour, 8 * day + 68 * hour).map(([m]) => dated(m, 8 * day + 31 * hour)),
      ];
      expect(evaluate(holed(6))).toMatchObject([{ state: "inactive" }]);
      expect(evaluate(holed(7))).toMatchObject([{ facts: { longestGapSeconds: 7_200 } }]);
    });
  });
});

describe("a newest date that jumps back", () => {
  const evaluate = (rows: readonly Row[], incidents: Incident[] = []) =>
    evaluateJumpedBack(contextOf(historyOf(rows), { incidents }));
  const rows = (back: number, checks = 3): Row[] => [
    dated(0, -10),
    dated(10, -5),
    ...every(10, 20, 10 + checks * 10).map(([minutes]) => dated(minutes, -5 - back)),
  ];

  test("by a day is reported after three checks", () => {
    expect(evaluate(rows(day))).toEqual([
      {
        ...warning("date-jumped-back"),
        key: iso(-5),
        firstBadMs: at(20),
        lastGoodMs: at(10),
        lastBadMs: at(40),
        bad: 3,
        total: 3,
        windowMs: 20 * minuteMs,
        facts: { previousNewestDate: iso(-5), newestDate: iso(-5 - day) },
      },
    ]);
    const silent = { state: "inactive", firstGoodMs: undefined, good: 2 };
    expect(evaluate(rows(day - 1))).toEqual([{ ...silent, lastMs: at(40) }]);
    expect(evaluate(rows(day, 2))).toEqual([{ ...silent, lastMs: at(30) }]);
    expect(evaluate([])).toEqual(unknown);
    expect(evaluate(every(10, 0, 30, { staleness: null }))).toEqual(unknown);
    expect(evaluate([...rows(day), [50, { status: 503 }]])).toEqual(unknown);
  });

  test("ends when the date that was known before is there again", () => {
    const firing = incidentOf("date-jumped-back", {
      since: iso(20),
      facts: { previousNewestDate: iso(-5), lastGoodBeforeAt: iso(10) },
    });
    expect(evaluate([dated(60, -6)], [firing])).toMatchObject([
      { bad: 1, firstBadMs: at(20), lastGoodMs: at(10), facts: { previousNewestDate: iso(-5) } },
    ]);
    expect(evaluate([dated(50, -6), dated(60, -5)], [firing])).toEqual([
      { state: "inactive", firstGoodMs: at(60), good: 2, lastMs: at(60) },
    ]);
  });
});

const hash = (number: number) => number.toString(16).padStart(10, "0");

describe("dates that move without values", () => {
  const evaluate = (rows: readonly Row[], incidents: Incident[] = []) =>
    evaluateWithoutValues(contextOf(historyOf(rows), { incidents }));
  /** A check an hour of one record whose date always moves; its value changes where `changes` says so. */
  const rows = (hours: number, changes: (index: number) => boolean): Row[] => {
    let value = 0;
    return every(hour, 0, hours * hour).map(([minutes], index) => {
      if (changes(index)) value += 1;
      return [minutes, { records: [{ id: hash(1), at: iso(minutes - 5), values: hash(value) }] }];
    });
  };

  test("are reported when chance is below 1 in 10,000", () => {
    // Nine of ten moves changed the value: twelve without a change are no chance.
    const known = (hours: number) => rows(hours, (index) => index <= 10 && index !== 4);
    expect(evaluate(known(21))).toEqual(unknown);
    expect(evaluate(known(22))).toEqual([
      {
        ...warning("dates-without-values"),
        key: "moved",
        firstBadMs: at(12 * hour),
        lastGoodMs: at(10 * hour),
        lastBadMs: at(22 * hour),
        bad: 12,
        total: 12,
        windowMs: 10 * hourMs,
        facts: { movedRecords: 12, changedRecords: 0 },
      },
    ]);
    // Many dates that moved in one or two hours may be one recalculation of everything.
    const many = (hours: number): Row[] => {
      const moved = (minutes: number, index: number): Row => [
        minutes,
        {
          records: Array.from({ length: 20 }, (_, id) => ({
            id: hash(id),
            at: iso(minutes - 5),
            values: hash(Math.min(index, 5)),
          })),
        },
      ];
      return every(hour, 0, hours * hour).map(([minutes], index) => moved(minutes, index));
    };
    expect(evaluate(many(7))).toEqual(unknown);
    expect(evaluate(many(8))).toMatchObject([{ state: "active", bad: 3, facts: { movedRecords: 60 } }]);
    // With one change in ten moves, none in twelve is nothing unusual.
    expect(evaluate(rows(22, (index) => index === 10))).toEqual(unknown);
    expect(evaluate(rows(30, () => false))).toEqual(unknown);
    expect(evaluate([])).toEqual(unknown);
    expect(evaluate([...known(22), [23 * hour, { status: 503 }]])).toEqual(unknown);
  });

  test("say nothing while they are the time of the response, or cannot be read", () => {
    const staleness = (p50: number) => ({ ages: { newest: 1, p50, p95: p50, oldest: p50 } });
    const known = rows(22, (index) => index <= 10 && index !== 4);
    const [minutes, last] = known.at(-1)!;
    const lastWith = (p50: number): Row[] => [
      ...known.slice(0, -1),
      [minutes, { ...last, staleness: staleness(p50) }],
    ];
    expect(evaluate(lastWith(120))).toMatchObject([{ state: "active" }]);
    expect(evaluate(lastWith(119))).toEqual(unknown);
    const unreadable = known.map(
      ([at, outcome], index): Row => [
        at,
        index <= 10 || index % 2 === 0
          ? outcome
          : { records: [{ id: hash(1), at: null, values: outcome!.records![0]!.values }] },
      ],
    );
    expect(evaluate(unreadable)).toEqual(unknown);
  });

  test("that were reported end with the first hour of a changed value", () => {
    const firing = incidentOf("dates-without-values", {
      since: iso(5 * hour),
      facts: { lastBadAt: iso(20 * hour), lastGoodBeforeAt: iso(4 * hour) },
    });
    expect(
      evaluate(
        rows(21, (index) => index === 20),
        [firing],
      ),
    ).toMatchObject([{ state: "active", bad: 1, firstBadMs: at(5 * hour), lastGoodMs: at(4 * hour) }]);
    expect(
      evaluate(
        rows(23, (index) => index === 21),
        [firing],
      ),
    ).toEqual([{ state: "inactive", firstGoodMs: at(21 * hour), good: 2, lastMs: at(23 * hour) }]);
    // No date moved after the last change.
    expect(
      evaluate(
        rows(20, (index) => index === 20),
        [firing],
      ),
    ).toEqual(unknown);
  });
});

describe("a part of the records that stands still", () => {
  /** Ten records, of which so many never move; the others are a day old in every check. Two checks a day. */
  const rows = (days: number, still: number, records = 10): Row[] =>
    every(12 * hour, 0, days * day).map(([minutes]) => [
      minutes,
      {
        records: Array.from({ length: records }, (_, index) => ({
          id: hash(index),
          values: hash(0),
          at: index < still ? iso(-day) : iso(minutes - day - index),
        })),
      },
    ]);
  const evaluate = (given: readonly Row[], over: Given = {}) =>
    evaluatePartlyFrozen(contextOf(historyOf(given), over));

  test("is reported when four in ten stand still for more than ten days", () => {
    expect(evaluate(rows(9, 4))).toMatchObject([{ state: "inactive", firstGoodMs: undefined }]);
    expect(evaluate(rows(9.5, 4))).toEqual([
      {
        ...warning("partly-frozen"),
        key: "still",
        lastBadMs: at(9.5 * day),
        bad: 1,
        total: 1,
        firstBadMs: at(9.5 * day),
        lastGoodMs: undefined,
        facts: {
          stillRecords: 4,
          records: 10,
          limitSeconds: 864_000,
          usualAgeSeconds: 86_400 + 8 * 60,
        },
      },
    ]);
    expect(evaluate(rows(9.5, 3))).toMatchObject([{ state: "inactive" }]);
  });

  test("is judged on five records and more, while the list is served and not frozen as a whole", () => {
    expect(evaluate(rows(9.5, 4, 4))).toEqual(unknown);
    expect(evaluate(rows(9.5, 4, 5))).toMatchObject([{ facts: { records: 5 } }]);
    expect(evaluate([])).toEqual(unknown);
    expect(evaluate([...rows(9.5, 4), [10 * day, { status: 503 }]])).toEqual(unknown);
    expect(evaluate(rows(9.5, 4), { incidents: [incidentOf("frozen")] })).toEqual(unknown);
  });

  test("does not count the time in which the whole list stood still and was reported", () => {
    const frozen = incidentOf("frozen", { state: "resolved", resolvedAt: iso(0) });
    expect(evaluate(rows(10, 4), { incidents: [frozen] })).toMatchObject([{ state: "inactive" }]);
    expect(evaluate(rows(10.5, 4), { incidents: [frozen] })).toMatchObject([{ state: "active" }]);
  });

  test("has to stand still for one and a half times the age that nine of ten had before", () => {
    const old = (days: number): Row[] =>
      rows(days, 4).map(([minutes, one]) => [
        minutes,
        {
          records: one!.records!.map((record, index) =>
            index < 4 ? record : { ...record, at: iso(minutes - (minutes < 0.6 * day ? 8 : 1) * day) },
          ),
        },
      ]);
    expect(evaluate(old(11))).toMatchObject([{ state: "inactive" }]);
    expect(evaluate(old(11.5))).toMatchObject([
      { facts: { usualAgeSeconds: 8 * 86_400, limitSeconds: 12 * 86_400 } },
    ]);
  });

  test("is compared with the highest age of all days before it stood still", () => {
    /** All are a day old at first and eight days old on the second day; four of them move until the third day. */
    const later = rows(16, 4).map(([minutes, one]): Row => {
      const ageDays = minutes >= day && minutes < 2 * day ? 8 : 1;
      return [
        minutes,
        {
          records: one!.records!.map((record, index) => ({
            ...record,
            at: iso((index < 4 ? Math.min(minutes, 3 * day) : minutes) - ageDays * day),
          })),
        },
      ];
    });
    expect(evaluate(later)).toMatchObject([{ facts: { usualAgeSeconds: 8 * 86_400 } }]);
  });

  test("that was reported keeps its onset and its limit, and ends with the check that shows fewer", () => {
    const firing = incidentOf("partly-frozen", {
      since: iso(day),
      facts: { usualAgeSeconds: 7 * 86_400, lastGoodBeforeAt: null },
    });
    expect(evaluate(rows(10, 4), { incidents: [firing] })).toMatchObject([
      {
        state: "active",
        firstBadMs: at(day),
        facts: { limitSeconds: 10.5 * 86_400, usualAgeSeconds: 604_800 },
      },
    ]);
    expect(evaluate(rows(9.5, 4), { incidents: [firing] })).toMatchObject([
      { state: "inactive", firstGoodMs: at(9.5 * day), good: 2, lastMs: at(9.5 * day) },
    ]);
  });
});
