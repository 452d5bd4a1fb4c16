import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { listedPassport } from "../../../lib/contract/v1/schemas.ts";
import { nameDateFormat, parseDateTime } from "../../../lib/probe/validate/staleness.ts";
import { fc } from "../../random.ts";

const schema = listedPassport.shape.last_calculated_at;
const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const two = fc.oneof(
  digits(2),
  fc.constantFrom("00", "01", "12", "13", "23", "24", "28", "29", "30", "31", "59", "60"),
);

/** Texts that look like date-times. About half of them are. */
const dateText = fc
  .record({
    year: fc.oneof(digits(4), fc.constantFrom("2024", "2023", "1900", "2000", "0000", "9999")),
    month: fc.oneof(two, fc.constantFrom("01", "02", "04", "12")),
    day: two,
    hour: two,
    minute: two,
    second: two,
    fraction: fc.oneof(fc.constant(""), fc.stringMatching(/^\.[0-9]{0,12}$/)),
    zone: fc.oneof(
      fc.constantFrom("Z", "", "z", "+0100", "+01", "-00:00", "+24:00", "+23:59"),
      fc
        .tuple(fc.constantFrom("+", "-"), two, two)
        .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
    ),
  })
  .map(
    ({ year, month, day, hour, minute, second, fraction, zone }) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`,
  );

const validText = fc
  .tuple(
    fc.date({
      min: new Date("0000-01-01T00:00:00Z"),
      max: new Date("9999-12-31T00:00:00Z"),
      noInvalidDate: true,
    }),
    fc.constantFrom("Z", "+00:00", "-11:30", "+14:00"),
  )
  .map(([date, zone]) => date.toISOString().replace("Z", zone));

/** A text with one character changed, removed or added. */
const mutated = fc
  .tuple(
    fc.oneof(validText, dateText),
    fc.nat(40),
    fc.oneof(
      fc.constantFrom("", "0", "9", ":", "T", " ", "Z", "+"),
      fc.string({ unit: "binary", maxLength: 1 }),
    ),
    fc.nat(1),
  )
  .map(([text, at, character, cut]) => text.slice(0, at) + character + text.slice(at + cut));

/** The instant of a date-time, from its digits and its offset. */
function instantOf(text: string): number {
  const [year, month, day, hour, minute, second] = text.split(/\D/).map(Number) as number[];
  const [, fraction = ""] = /\.(\d+)/.exec(text) ?? [];
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day);
  date.setUTCHours(hour!, minute, second, Number(fraction.padEnd(3, "0").slice(0, 3)));
  return date.getTime() - Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

describe("parseDateTime", () => {
  test("parseDateTime accepts what the contract's schema accepts, and returns the instant of its digits", () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(dateText, validText, mutated, fc.string()), (text) => {
        const { success } = schema.safeParse(text);
        if (success) accepted++;
        expect(parseDateTime(text)).toBe(success ? instantOf(text) : undefined);
      }),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  test.each([
    ["2024-02-29T23:59:59.999-01:00", Date.UTC(2024, 2, 1, 0, 59, 59, 999)],
    ["1970-01-01T00:00:00.0002000000Z", 0],
    [`1970-01-01T00:00:00.${"1".repeat(100)}Z`, 111],
    ["0000-01-01T00:00:00Z", -62_167_219_200_000],
  ])("parseDateTime reads %s", (text, instant) => {
    expect(parseDateTime(text)).toBe(instant);
  });
});

test.each([
  ["2024-10-01T12:35:50.602Z", "date-time"],
  ["2024-10-01T12:35:50", "zone-less"],
  ["2024-10-01 12:35:50", "zone-less"],
  ["2024-10-01T12:35", "zone-less"],
  ["2024-10-01T12:35:50+0100", "basic-offset"],
  ["2024-02-30T12:35:50Z", "impossible-date"],
  ["2023-02-29T12:35:50Z", "impossible-date"],
  ["2024-10-01T12:35:60Z", "impossible-date"],
  ["2024-10-01T24:00:00Z", "hour-24"],
  ["2024-10-01T12:35:50+25:00", "impossible-date"],
  ["2024-02-30", "impossible-date"],
  ["2024-10-01", "date"],
  ["1727786150", "epoch-seconds"],
  ["1727786150602", "epoch-milliseconds"],
  ["Tue, 01 Oct 2024 12:35:50 GMT", "http-date"],
  ["last Tuesday", "text"],
  ["", "empty"],
  ["2024-10-01T12:35:50.602Z".padStart(70), "text"],
])("nameDateFormat(%j) is %s", (text, name) => {
  expect(nameDateFormat(text)).toBe(name);
  expect(parseDateTime(text) === undefined).toBe(name !== "date-time");
});

test("The results are the same in every time zone, and around changes to summer time", async () => {
  const texts = [
    "2026-03-29T02:30:00",
    "2026-03-29T02:30:00Z",
    "2024-10-01T12:00:00+0100",
    "2024-02-30T00:00:00Z",
    "2016-12-31T23:59:60Z",
    "2026-11-01T01:30:00-04:00",
  ];
  const script = `
    import { readBody } from ${JSON.stringify(new URL("../../../lib/probe/validate/validate-body.ts", import.meta.url).href)};
    import { parseDateTime, nameDateFormat } from ${JSON.stringify(new URL("../../../lib/probe/validate/staleness.ts", import.meta.url).href)};
    const texts = ${JSON.stringify(texts)};
    const body = { passport_credentials: texts.map((last_calculated_at) => ({ last_calculated_at })) };
    const clock = { nowMs: Date.UTC(2026, 10, 14), maxSkewSeconds: 300 };
    const { validation } = readBody("passport-credentials", Buffer.from(JSON.stringify(body)), "application/json", { clock });
    console.log(JSON.stringify([new Date(0).getTimezoneOffset(), texts.map((text) => [parseDateTime(text), nameDateFormat(text)]), validation]));`;
  const results = new Set<string>();
  const offsets = new Set<number>();
  const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati"];
  for (const TZ of zones) {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, TZ },
    });
    const [offset, ...rest] = JSON.parse(stdout);
    offsets.add(offset);
    results.add(JSON.stringify(rest));
  }
  expect(offsets.size).toBe(zones.length);
  expect(results.size).toBe(1);
  const [[, { staleness, findings }]] = [...results].map((text) => JSON.parse(text));
  expect(staleness).toMatchObject({ dated: 2, unparsable: 4, future: 0 });
  expect(
    findings
      .filter(({ kind }: { kind: string }) => kind === "format")
      .map(({ observed, count }: { observed: string; count: number }) => [observed, count]),
  ).toEqual([
    ["basic-offset", 1],
    ["impossible-date", 2],
    ["zone-less", 1],
  ]);
});
