// Dates of headers: strict HTTP-dates, the loose forms that a Sunset may have, and the clock of the target.
import { describe, expect, test } from "vitest";
import { parseDates, parseHttpDate, readTargetNow } from "../../../lib/probe/http/http-date.ts";
import { fc } from "../../random.ts";

const instant = (atMs: number | undefined) =>
  atMs === undefined ? undefined : new Date(atMs).toISOString().replace(".000Z", "Z");

describe("an HTTP-date", () => {
  const strict = (text: string) => instant(parseHttpDate(text));

  test("An HTTP-date may be of any month and any weekday", () => {
    const [days, longDays] = [
      ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
      ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    ];
    for (const day of days) expect(strict(`${day}, 06 Nov 1994 08:49:37 GMT`)).toBe("1994-11-06T08:49:37Z");
    for (const day of longDays) expect(strict(`${day}, 06-Nov-94 08:49:37 GMT`)).toBe("1994-11-06T08:49:37Z");
    const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    for (const [index, month] of months.entries())
      expect(strict(`Sun ${month}  6 08:49:37 1994`)).toBe(
        `1994-${String(index + 1).padStart(2, "0")}-06T08:49:37Z`,
      );
  });

  test("An HTTP-date with a year of two digits is of 1970 to 2069", () => {
    expect(strict("Sunday, 06-Nov-70 00:00:00 GMT")).toBe("1970-11-06T00:00:00Z");
    expect(strict("Sunday, 06-Nov-69 00:00:00 GMT")).toBe("2069-11-06T00:00:00Z");
    expect(strict("Sunday, 06-Nov-00 00:00:00 GMT")).toBe("2000-11-06T00:00:00Z");
  });

  test.each([
    ["Sun, 06 Nov 1900 00:00:00 GMT", "1900-11-06T00:00:00Z"],
    ["Sun, 06 Nov 1899 00:00:00 GMT", undefined],
    ["Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"],
    ["Sun, 06 Nov 1994 23:59:59 GMT", "1994-11-06T23:59:59Z"],
    ["Sun, 06 Nov 1994 23:59:60 GMT", undefined],
    ["Sun, 30 Nov 1994 00:00:00 GMT", "1994-11-30T00:00:00Z"],
    ["Sun, 31 Nov 1994 00:00:00 GMT", undefined],
    ["Sun Nov 006 08:49:37 1994", undefined],
    ["x Sun, 06 Nov 1994 08:49:37 GMT", undefined],
    ["Sun Nov  6 08:49:37 1994 ", undefined],
    [" Sunday, 06-Nov-94 08:49:37 GMT", undefined],
    ["Sunday, 06-Nov-94 08:49:37 GMT ", undefined],
    [" Sun Nov  6 08:49:37 1994", undefined],
    ["Wed Nov 16 08:49:37 1994", "1994-11-16T08:49:37Z"],
    ["Thu, 29 Feb 2024 00:00:00 GMT", "2024-02-29T00:00:00Z"],
    ["Sun, 29 Feb 2026 00:00:00 GMT", undefined],
    ["Wed, 00 Nov 2026 00:00:00 GMT", undefined],
    ["Wed, 11 Nov 2026 24:00:00 GMT", undefined],
    ["Wed, 11 Nov 2026 10:60:00 GMT", undefined],
    ["Wed, 11 Nov 2026 10:00:00", undefined],
    ["Wed, 11 Nov 2026 10:00:00 +0100", undefined],
    ["Wed, 11 Nov 2026 10:00:00 PST", undefined],
    ["wed, 11 nov 2026 10:00:00 gmt", undefined],
    ["Wed, 1 Nov 2026 10:00:00 GMT", undefined],
    ["11 Nov 2026 10:00:00 GMT", undefined],
    ["2026-11-11T10:00:00Z", undefined],
    ["1794391200", undefined],
    ["", undefined],
    ["Wed, 11 Nov 2026 10:00:00 GMT, Wed, 11 Nov 2026 10:00:00 GMT", undefined],
  ])("The HTTP-date %j is %s", (text, expected) => {
    expect(strict(text)).toBe(expected);
  });

  test("An HTTP-date may be every instant that toUTCString writes", () => {
    const [min, max] = [new Date("1900-01-01"), new Date("9999-12-31T23:59:59Z")];
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        expect(parseHttpDate(date.toUTCString())).toBe(Math.floor(date.getTime() / 1_000) * 1_000);
      }),
    );
  });
});

describe("a date that is no HTTP-date", () => {
  const loose = (text: string) => instant(parseDates(text));

  test.each([
    // ISO 8601, with and without a time, a zone and fractions.
    ["2026-12-31", "2026-12-31T00:00:00Z"],
    ["2026-12-31T10:20", "2026-12-31T10:20:00Z"],
    ["2026-12-31 10:20:30", "2026-12-31T10:20:30Z"],
    ["2026-12-31T10:20:30.123456789Z", "2026-12-31T10:20:30Z"],
    ["2026-12-31T10:20:30 UTC", "2026-12-31T10:20:30Z"],
    ["2026-12-31T10:20:30-0530", "2026-12-31T15:50:30Z"],
    ["2026-12-31T10:20:30+05:30", "2026-12-31T04:50:30Z"],
    ["2026-12-31T10:20:30GMT", "2026-12-31T10:20:30Z"],
    ["2026-01-05", "2026-01-05T00:00:00Z"],
    // A day of one digit, a long month, a year of two digits, no seconds.
    ["1 Dec 2026 00:00 UTC", "2026-12-01T00:00:00Z"],
    ["Tue 1 December 2026 9:05:07 GMT", "2026-12-01T09:05:07Z"],
    ["Tuesday, 01-Dec-26 10:00:00 +0100", "2026-12-01T09:00:00Z"],
    ["31 Dec 2026 23:59Z", "2026-12-31T23:59:00Z"],
    // Several, in any order and form: the earliest counts.
    ["2026-12-31, 2026-11-30; 2027-01-01", "2026-11-30T00:00:00Z"],
    ["2027-01-01, 1 Dec 2026 00:00 UTC", "2026-12-01T00:00:00Z"],
    ['"2026-12-31"', "2026-12-31T00:00:00Z"],
    ["Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"],
  ])("The date %s, which is no HTTP-date, is read as %s", (text, expected) => {
    expect(loose(text)).toBe(expected);
  });

  test.each([
    "",
    "soon",
    "until 2026-12-31",
    "2026-12-31 or later",
    "2026-13-01",
    "2026-00-10",
    "2026-12-32",
    "2026-12-31, 2026-02-30",
    "2026-12-31T24:00:00Z",
    "31 Dec 2026 23:60 UTC",
    "31 Dec 2026",
    "31 Dec 2026 23:59:59",
    "31 Dec 2026 23:59:59 CET",
    "31 December12 2026 23:59 UTC",
    "1899-12-31",
    // In UTC it is in the year 10000.
    "9999-12-31T23:59:59-00:01",
    ",",
  ])("The date %j, which is no HTTP-date, is not read", (text) => {
    expect(parseDates(text)).toBeUndefined();
  });

  test("A date that is no HTTP-date is not looked for in a text of more than 1,000 characters", () => {
    expect(parseDates("2026-12-31".padEnd(1_000))).toBe(Date.UTC(2026, 11, 31));
    expect(parseDates("2026-12-31".padEnd(1_001))).toBeUndefined();
  });
});

describe("the clock of the target", () => {
  const nowMs = Date.UTC(2026, 10, 14, 12);
  const at = (secondsAgo: number) => new Date(nowMs - secondsAgo * 1_000).toUTCString();
  const read = (date: string | undefined, age?: string) => {
    const headers = { ...(date !== undefined && { date }), ...(age !== undefined && { age }) };
    const targetMs = readTargetNow(headers, nowMs);
    return targetMs === undefined ? undefined : (targetMs - nowMs) / 1_000;
  };

  test.each<[string | undefined, string | undefined, number | undefined]>([
    [undefined, undefined, undefined],
    [undefined, "60", undefined],
    ["soon", "60", undefined],
    [at(60), undefined, -60],
    [at(60), "", -60],
    [at(60), "60", 0],
    [at(60), "100", 40],
    // As far off as the Date itself: the Date counts.
    [at(60), "120", -60],
    [at(60), "121", -60],
    [at(-60), "60", 60],
    [at(60), "60s", -60],
    [at(60), " 60", -60],
    [at(60), "12345678901", -60],
    [at(1_234_567_890), "1234567890", 0],
  ])("The clock of the target with Date %s and Age %s is %s s ahead", (date, age, ahead) => {
    expect(read(date, age)).toBe(ahead);
  });
});
