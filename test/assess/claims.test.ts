// What messages claim, by endpoint: dates, scopes and durations. Each history is read as people read it: the subject and the
// sentences below it. Countdown alerts are sent beside the messages, as the assessment does.
import { describe, expect, test } from "vitest";
import { readOutlook } from "../../lib/assess/outlook.ts";
import type { AssessState } from "../../lib/assess/state.ts";
import { countdownAlerts } from "../../lib/assess/text/scheduled-alerts.ts";
import type { EndpointId } from "../../lib/contract/endpoints.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { type Outcome, type Service, settings, startMs, watch } from "./driver.ts";
import { dayMs, hourMs } from "./observation-builder.ts";

type Step = {
  /** Hours after the start. */
  from?: number;
  to?: number;
  on?: EndpointId[];
  is: NonNullable<Outcome>;
};

/** The first step that applies says what V1 does; a healthy V1 where none does. */
const script =
  (...steps: Step[]): Service =>
  ({ atMs, endpoint }) => {
    const hour = (atMs - startMs) / hourMs;
    const isNow = ({ from = 0, to = Infinity, on }: Step) =>
      hour >= from && hour < to && (on?.includes(endpoint) ?? true);
    return steps.find(isNow)?.is ?? {};
  };

const textOf = ({ at, subject, sections }: Alert): string[] => [
  `${at.slice(8, 16).replace("T", " ")} ${subject.replace("[v1watch] ", "")}`,
  ...sections[0]!.lines.map((line) => `    ${line}`),
];

/** Every message and countdown in order, and at the end what is known of V1's retirement. */
function read(steps: Step[], days: number): string[] {
  const countdowns = new Map<string, Alert>();
  const outlookAt = (state: AssessState, nowMs: number) => readOutlook(state, settings, nowMs);
  const { alerts, state } = watch(script(...steps), {
    days,
    onTick: (current, nowMs) => {
      for (const alert of countdownAlerts(current, outlookAt(current, nowMs), settings, nowMs))
        if (!countdowns.has(alert.id)) countdowns.set(alert.id, alert);
    },
  });
  const { headline, reasons } = outlookAt(state, startMs + days * dayMs);
  return [
    ...[...alerts, ...countdowns.values()].toSorted((a, b) => (a.at < b.at ? -1 : 1)).flatMap(textOf),
    `Outlook: ${headline} ${reasons.join("; ")}`,
  ];
}

const status = (code: number) => ({ status: code });
const sunset = (date: string) => ({ notices: { sunset: `${date}T00:00:00.000Z` } });
const list: EndpointId[] = ["passport-list"];
const single: EndpointId[] = ["passport"];
const credentials: EndpointId[] = ["passport-credentials"];

describe("the dates of the Sunset header", () => {
  test("A stray Sunset of today, while the end is announced for July, is no fact", () => {
    const stray: Step = {
      from: 30,
      to: 30.3,
      on: list,
      is: { notices: { sunset: new Date(startMs + 40 * hourMs).toISOString() } },
    };
    const steps: Step[] = [stray, { from: 6, is: sunset("2026-07-01") }];
    expect(read(steps, 2)).toMatchInlineSnapshot(`
      [
        "02 06:24 WARNING: V1 announces its end on all 3 endpoints: Sunset 2026-07-01, since 05:48-06:00 UTC",
        "    all 3 endpoints: 3 of 3 checks had a Sunset header, 06:00-06:24 UTC, last without it 05:48",
        "    The Sunset header names 2026-07-01 00:00 UTC.",
        "Outlook: V1 shows first retirement signals. Its Sunset header names 2026-07-01. its Sunset header names 2026-07-01: 119 days from now",
      ]
    `);
  });
  test("Three endpoints announce three dates", () => {
    const steps: Step[] = [
      { from: 6, on: list, is: sunset("2026-03-12") },
      { from: 6, on: single, is: sunset("2026-06-01") },
      { from: 6, on: credentials, is: sunset("2026-08-01") },
    ];
    expect(read(steps, 4)).toMatchInlineSnapshot(`
      [
        "02 07:00 WARNING: V1 announces its end, first on passport-list: Sunset 2026-03-12, since 06:00 UTC",
        "    all 3 endpoints: 6 of 6 checks had a Sunset header, 06:00-07:00 UTC, last without it 05:48",
        "    The Sunset header names 2026-03-12 for passport-list, 2026-06-01 for passport, and 2026-08-01 for passport-credentials.",
        "05 09:00 WARNING: V1 ends in 7 days on passport-list: 2026-03-12, by its Sunset header",
        "    V1 ends in 7 days on passport-list: at 2026-03-12 00:00 UTC, by its Sunset header.",
        "Outlook: V1's retirement is imminent, or may have happened. Its Sunset header names 2026-03-12 on passport-list. its Sunset header names 2026-03-12 on passport-list: 6 days from now; its Sunset header names 2026-06-01 on passport: 87 days from now; its Sunset header names 2026-08-01 on passport-credentials: 148 days from now",
      ]
    `);
  });
  test("The date of one endpoint passes and it answers 410, the others go on", () => {
    const steps: Step[] = [
      { from: 72.1, on: list, is: status(410) },
      { from: 6, on: list, is: sunset("2026-03-05") },
      { from: 6, is: sunset("2026-06-01") },
    ];
    expect(read(steps, 5)).toMatchInlineSnapshot(`
      [
        "02 06:36 WARNING: V1 announces its end, first on passport-list: Sunset 2026-03-05, since 06:00 UTC",
        "    all 3 endpoints: 4 of 4 checks had a Sunset header, 06:00-06:36 UTC, last without it 05:48",
        "    The Sunset header names 2026-03-05 for passport-list, and 2026-06-01 for passport and passport-credentials.",
        "02 09:00 PAGE: V1 ends in 3 days on passport-list: 2026-03-05, by its Sunset header",
        "    V1 ends in 3 days on passport-list: at 2026-03-05 00:00 UTC, by its Sunset header.",
        "04 09:00 PAGE: V1 ends tomorrow on passport-list: 2026-03-05, by its Sunset header",
        "    V1 ends tomorrow on passport-list: at 2026-03-05 00:00 UTC, by its Sunset header.",
        "05 00:51 PAGE: V1's passport-list returns 410 since 00:00-00:36 UTC",
        "    passport-list: 410 in 5 of 5 checks, 00:36-00:51 UTC, last good 00:00",
        "    410 on passport-list for 15 min; the announced end was 2026-03-05 00:00 UTC: probably retired.",
        "05 09:00 PAGE (still firing): V1's passport-list returns 410 since 00:00-00:36 UTC",
        "    This alert was first sent at 00:51 UTC, and nobody has acknowledged it.",
        "    passport-list: 410 in 19 of 19 checks, 00:36-09:00 UTC, last good 00:00",
        "    410 on passport-list for 8 h 24 min; the announced end was 2026-03-05 00:00 UTC: probably retired.",
        "05 09:00 INFO: V1 ends in 88 days on passport and passport-credentials: 2026-06-01",
        "    V1 ends in 88 days on passport and passport-credentials: at 2026-06-01 00:00 UTC, by its Sunset header.",
        "06 09:00 PAGE (still firing): V1's passport-list returns 410 since 2026-03-05 00:00-00:36 UTC",
        "    This alert was first sent at 2026-03-05 00:51 UTC, and nobody has acknowledged it.",
        "    passport-list: 410 in 59 of 59 checks, 2026-03-05 00:36 to 2026-03-06 09:00 UTC, last good 2026-03-05 00:00",
        "    410 on passport-list for 1 d 8 h; the announced end was 2026-03-05 00:00 UTC: probably retired.",
        "Outlook: V1's retirement is imminent, or may have happened. Its Sunset header names 2026-06-01 on passport and passport-credentials. V1's passport-list returns 410, since 2026-03-05 00:36 UTC; its date 2026-03-05 on passport-list, by its Sunset header, passed 2 days ago; its Sunset header names 2026-06-01 on passport and passport-credentials: 86 days from now",
      ]
    `);
  });
  test("The date of one endpoint passes and it is still up", () => {
    const steps: Step[] = [
      { from: 6, on: list, is: sunset("2026-03-05") },
      { from: 6, is: sunset("2026-06-01") },
    ];
    expect(read(steps, 5)).toMatchInlineSnapshot(`
      [
        "02 06:36 WARNING: V1 announces its end, first on passport-list: Sunset 2026-03-05, since 06:00 UTC",
        "    all 3 endpoints: 4 of 4 checks had a Sunset header, 06:00-06:36 UTC, last without it 05:48",
        "    The Sunset header names 2026-03-05 for passport-list, and 2026-06-01 for passport and passport-credentials.",
        "02 09:00 PAGE: V1 ends in 3 days on passport-list: 2026-03-05, by its Sunset header",
        "    V1 ends in 3 days on passport-list: at 2026-03-05 00:00 UTC, by its Sunset header.",
        "04 09:00 PAGE: V1 ends tomorrow on passport-list: 2026-03-05, by its Sunset header",
        "    V1 ends tomorrow on passport-list: at 2026-03-05 00:00 UTC, by its Sunset header.",
        "05 01:36 WARNING (changed): V1 is still up on passport-list after its announced end, 2026-03-05",
        "    all 3 endpoints: 339 of 339 checks had a Sunset header, 2026-03-02 06:00 to 2026-03-05 01:36 UTC, last without it 2026-03-02 05:48",
        "    The Sunset header names 2026-03-05 for passport-list, and 2026-06-01 for passport and passport-credentials.",
        "    V1 is still up on passport-list after that date.",
        "Outlook: V1's retirement is imminent, or may have happened. Its Sunset header names 2026-06-01 on passport and passport-credentials. its date 2026-03-05 on passport-list, by its Sunset header, passed 2 days ago; its Sunset header names 2026-06-01 on passport and passport-credentials: 86 days from now",
      ]
    `);
  });
  test("Each endpoint answers 410 on its own date", () => {
    const steps: Step[] = [
      { from: 72.1, on: list, is: status(410) },
      { from: 96.1, on: single, is: status(410) },
      { from: 120.1, on: credentials, is: status(410) },
      { from: 6, on: list, is: sunset("2026-03-05") },
      { from: 6, on: single, is: sunset("2026-03-06") },
      { from: 6, on: credentials, is: sunset("2026-03-07") },
    ];
    expect(read(steps, 6)).toMatchInlineSnapshot(`
      [
        "02 07:00 WARNING: V1 announces its end, first on passport-list: Sunset 2026-03-05, since 06:00 UTC",
        "    all 3 endpoints: 6 of 6 checks had a Sunset header, 06:00-07:00 UTC, last without it 05:48",
        "    The Sunset header names 2026-03-05 for passport-list, 2026-03-06 for passport, and 2026-03-07 for passport-credentials.",
        "02 09:00 PAGE: V1 ends in 3 days on passport-list: 2026-03-05, by its Sunset header",
        "    V1 ends in 3 days on passport-list: at 2026-03-05 00:00 UTC, by its Sunset header.",
        "04 09:00 PAGE: V1 ends tomorrow on passport-list: 2026-03-05, by its Sunset header",
        "    V1 ends tomorrow on passport-list: at 2026-03-05 00:00 UTC, by its Sunset header.",
        "05 00:51 PAGE: V1's passport-list returns 410 since 00:00-00:36 UTC",
        "    passport-list: 410 in 5 of 5 checks, 00:36-00:51 UTC, last good 00:00",
        "    410 on passport-list for 15 min; the announced end was 2026-03-05 00:00 UTC: probably retired.",
        "05 09:00 PAGE (still firing): V1's passport-list returns 410 since 00:00-00:36 UTC",
        "    This alert was first sent at 00:51 UTC, and nobody has acknowledged it.",
        "    passport-list: 410 in 19 of 19 checks, 00:36-09:00 UTC, last good 00:00",
        "    410 on passport-list for 8 h 24 min; the announced end was 2026-03-05 00:00 UTC: probably retired.",
        "05 09:00 PAGE: V1 ends tomorrow on passport: 2026-03-06, by its Sunset header",
        "    V1 ends tomorrow on passport: at 2026-03-06 00:00 UTC, by its Sunset header.",
        "06 00:27 PAGE: V1's passport returns 410 since 2026-03-05 23:36-00:12 UTC",
        "    passport: 410 in 5 of 5 checks, 00:12-00:27 UTC, last good 2026-03-05 23:36",
        "    3 different sample records got the same kind of response, so this is not just one deleted record.",
        "    410 on passport for 15 min; the announced end was 2026-03-06 00:00 UTC: probably retired.",
        "06 09:00 PAGE (still firing): V1's passport-list returns 410 since 2026-03-05 00:00-00:36 UTC",
        "    This alert was first sent at 2026-03-05 00:51 UTC, and nobody has acknowledged it.",
        "    passport-list: 410 in 60 of 60 checks, 2026-03-05 00:36 to 2026-03-06 09:00 UTC, last good 2026-03-05 00:00",
        "    410 on passport-list for 1 d 8 h; the announced end was 2026-03-05 00:00 UTC: probably retired.",
        "06 09:00 PAGE (still firing): V1's passport returns 410 since 2026-03-05 23:36-00:12 UTC",
        "    This alert was first sent at 00:27 UTC, and nobody has acknowledged it.",
        "    passport: 410 in 19 of 19 checks, 00:12-08:36 UTC, last good 2026-03-05 23:36",
        "    3 different sample records got the same kind of response, so this is not just one deleted record.",
        "    410 on passport for 8 h 24 min; the announced end was 2026-03-06 00:00 UTC: probably retired.",
        "06 09:00 PAGE: V1 ends tomorrow on passport-credentials: 2026-03-07, by its Sunset header",
        "    V1 ends tomorrow on passport-credentials: at 2026-03-07 00:00 UTC, by its Sunset header.",
        "07 00:29 PAGE: V1 is probably retired: 410 on all 3 endpoints, first since 5 March",
        "    passport-list: 410 in 86 of 86 checks, 2026-03-05 00:36 to 2026-03-07 00:25 UTC, last good 2026-03-05 00:00",
        "    passport: 410 in 46 of 46 checks, 2026-03-06 00:12 to 2026-03-07 00:25 UTC, last good 2026-03-05 23:36",
        "    passport-credentials: 410 in 3 of 3 checks, 00:24-00:29 UTC, last good 2026-03-06 23:48",
        "    The announced end of passport-list was 2026-03-05 00:00 UTC: it is probably retired.",
        "    The announced end of passport was 2026-03-06 00:00 UTC: it is probably retired.",
        "    The announced end of passport-credentials was 2026-03-07 00:00 UTC: it is probably retired.",
        "    This alert replaces gone-passport-list-20260305T0036Z, gone-passport-20260306T0012Z, which began earlier.",
        "07 09:00 PAGE (still firing): V1 is probably retired: 410 on all 3 endpoints, first since 5 March",
        "    This alert was first sent at 00:29 UTC, and nobody has acknowledged it.",
        "    passport-list: 410 in 101 of 101 checks, 2026-03-05 00:36 to 2026-03-07 09:00 UTC, last good 2026-03-05 00:00",
        "    passport: 410 in 60 of 60 checks, 2026-03-06 00:12 to 2026-03-07 08:36 UTC, last good 2026-03-05 23:36",
        "    passport-credentials: 410 in 19 of 19 checks, 00:24-08:48 UTC, last good 2026-03-06 23:48",
        "    The announced end of passport-list was 2026-03-05 00:00 UTC: it is probably retired.",
        "    The announced end of passport was 2026-03-06 00:00 UTC: it is probably retired.",
        "    The announced end of passport-credentials was 2026-03-07 00:00 UTC: it is probably retired.",
        "    This alert replaces gone-passport-list-20260305T0036Z, gone-passport-20260306T0012Z, which began earlier.",
        "Outlook: V1 is retired. V1 is probably retired: 410 on all 3 endpoints, since 2026-03-07 00:24 UTC; its date 2026-03-05 on passport-list, by its Sunset header, passed 3 days ago; its date 2026-03-06 on passport, by its Sunset header, passed 2 days ago; its date 2026-03-07 on passport-credentials, by its Sunset header, passed 1 day ago",
      ]
    `);
  });
  test("A Sunset that one endpoint no longer sends", () => {
    const steps: Step[] = [
      { from: 30, on: list, is: {} },
      { from: 6, is: sunset("2026-07-01") },
    ];
    expect(read(steps, 4)).toMatchInlineSnapshot(`
      [
        "02 06:24 WARNING: V1 announces its end on all 3 endpoints: Sunset 2026-07-01, since 05:48-06:00 UTC",
        "    all 3 endpoints: 3 of 3 checks had a Sunset header, 06:00-06:24 UTC, last without it 05:48",
        "    The Sunset header names 2026-07-01 00:00 UTC.",
        "03 10:48 WARNING (changed): V1 announces its end on 2 of 3 endpoints: Sunset 2026-07-01",
        "    passport and passport-credentials: 96 of 96 checks had a Sunset header, 2026-03-02 06:12 to 2026-03-03 10:36 UTC, last without it 2026-03-02 05:48",
        "    passport-list: 40 of 40 checks had a Sunset header, 2026-03-02 06:00 to 2026-03-03 05:24 UTC, last without it 2026-03-02 05:24, without it since 06:00",
        "    The Sunset header names 2026-07-01 00:00 UTC.",
        "Outlook: V1 shows first retirement signals. Its Sunset header names 2026-07-01 on passport and passport-credentials. its Sunset header names 2026-07-01 on passport and passport-credentials: 117 days from now",
      ]
    `);
  });
  test("A Sunset that moves on one endpoint, and hours later on the others", () => {
    const steps: Step[] = [
      { from: 30, on: list, is: sunset("2026-06-20") },
      { from: 48, is: sunset("2026-06-20") },
      { from: 6, is: sunset("2026-07-01") },
    ];
    expect(read(steps, 4)).toMatchInlineSnapshot(`
      [
        "02 06:24 WARNING: V1 announces its end on all 3 endpoints: Sunset 2026-07-01, since 05:48-06:00 UTC",
        "    all 3 endpoints: 3 of 3 checks had a Sunset header, 06:00-06:24 UTC, last without it 05:48",
        "    The Sunset header names 2026-07-01 00:00 UTC.",
        "03 07:00 WARNING (changed): V1 moved its end from 2026-07-01 to 2026-06-20 on passport-list",
        "    all 3 endpoints: 125 of 125 checks had a Sunset header, 2026-03-02 06:00 to 2026-03-03 06:48 UTC, last without it 2026-03-02 05:48",
        "    V1 now ends on 2026-06-20 on passport-list, 11 days earlier than announced. Before, the Sunset header named 2026-07-01.",
        "    The other endpoints keep their dates.",
        "04 00:24 WARNING (changed): V1 moved its end from 2026-07-01 to 2026-06-20 on 2 of 3 endpoints",
        "    all 3 endpoints: 213 of 213 checks had a Sunset header, 2026-03-02 06:00 to 2026-03-04 00:24 UTC, last without it 2026-03-02 05:48",
        "    V1 now ends on 2026-06-20 on passport and passport-credentials, 11 days earlier than announced. Before, the Sunset header named 2026-07-01.",
        "    The other endpoint keeps its date.",
        "Outlook: V1 shows first retirement signals. Its Sunset header names 2026-06-20. its Sunset header names 2026-06-20: 106 days from now",
      ]
    `);
  });
  test("A Sunset that names another date in every response", () => {
    const service: Service = ({ atMs, random }) =>
      atMs < startMs + 6 * hourMs
        ? {}
        : sunset(new Date(startMs + Math.floor(30 + random * 300) * dayMs).toISOString().slice(0, 10));
    expect(watch(service, { days: 1 }).alerts.flatMap(textOf)).toMatchInlineSnapshot(`
      [
        "02 07:36 WARNING: V1 announces its end on all 3 endpoints: no steady date, since 05:48-06:00 UTC",
        "    all 3 endpoints: 9 of 9 checks had a Sunset header, 06:00-07:36 UTC, last without it 05:48",
        "    The Sunset header changes from check to check, so v1watch trusts none of its dates.",
      ]
    `);
  });
});

describe("other notices", () => {
  const deprecation = (date: string) => ({ form: "rfc9745" as const, at: `${date}T00:00:00.000Z` });
  test("A Warning and another Deprecation date in one response are no facts", () => {
    const steps: Step[] = [
      {
        from: 20,
        to: 20.3,
        on: list,
        is: { notices: { deprecation: deprecation("2020-01-01"), warning: 299 } },
      },
      {
        from: 30,
        to: 30.3,
        on: single,
        is: { notices: { deprecation: deprecation("2026-02-01"), message: true } },
      },
      { from: 6, is: { notices: { deprecation: deprecation("2026-02-01") } } },
    ];
    expect(read(steps, 2)).toMatchInlineSnapshot(`
      [
        "02 06:24 WARNING: V1 announces its deprecation on all 3 endpoints since 05:48-06:00 UTC",
        "    all 3 endpoints: 3 of 3 checks announced it, 06:00-06:24 UTC, last without it 05:48",
        "    V1 sends Deprecation 2026-02-01.",
        "Outlook: V1 shows first retirement signals. V1 announces its deprecation on all 3 endpoints, since 2026-03-02 06:00 UTC",
      ]
    `);
  });
  test("A kind of notice that one endpoint sends names this endpoint", () => {
    const steps: Step[] = [
      { from: 6, on: list, is: { notices: { deprecation: deprecation("2026-02-01"), warning: 299 } } },
      { from: 6, is: { notices: { deprecation: deprecation("2026-02-01") } } },
    ];
    expect(read(steps, 1)).toMatchInlineSnapshot(`
      [
        "02 06:36 WARNING: V1 announces its deprecation on all 3 endpoints since 05:48-06:00 UTC",
        "    all 3 endpoints: 4 of 4 checks announced it, 06:00-06:36 UTC, last without it 05:48",
        "    V1 sends Deprecation 2026-02-01 on all 3 endpoints; Warning 299 on passport-list.",
        "Outlook: V1 shows first retirement signals. V1 announces its deprecation on all 3 endpoints, since 2026-03-02 06:00 UTC",
      ]
    `);
  });
});

describe("who was bad how long", () => {
  test("Two endpoints are back after four hours, one after ten", () => {
    const steps: Step[] = [
      { from: 6, to: 16, on: single, is: status(503) },
      { from: 6, to: 10, is: status(503) },
    ];
    expect(read(steps, 1)).toMatchInlineSnapshot(`
      [
        "02 06:05 PAGE: V1 is down on all 3 endpoints (503) since 05:48-06:00 UTC",
        "    all 3 endpoints: 503 in 7 of 7 checks, 06:00-06:05 UTC, last good 05:48",
        "02 10:05 PAGE (changed): V1's passport is down (503) since 05:36-06:01 UTC",
        "    passport-list and passport-credentials: 503 in 17 of 17 checks, 06:00-09:36 UTC, last good 05:48, good since 10:00",
        "    passport: 503 in 10 of 10 checks, 06:01-10:01 UTC, last good 05:36",
        "02 16:29 RESOLVED: V1 was down on all 3 endpoints for up to 10 h 48 min (503)",
        "    passport-list and passport-credentials: from 05:48-06:00 until 09:36-10:00 UTC, 503 in 17 of 17 checks",
        "    passport: from 05:36-06:01 until 15:48-16:24 UTC, 503 in 20 of 20 checks",
        "Outlook: V1 shows no retirement signals. no Sunset or Deprecation header is confirmed in 167 observations since 2026-03-02 00:00 UTC; no recurring outages, no withdrawn endpoint, no stub data and no frozen data is known",
      ]
    `);
  });
  test("One endpoint, then all of them, then one that is left", () => {
    const steps: Step[] = [
      { from: 5, to: 14, on: single, is: status(500) },
      { from: 9, to: 11, is: status(502) },
    ];
    expect(read(steps, 1)).toMatchInlineSnapshot(`
      [
        "02 05:15 PAGE: V1's passport is down (500) since 04:24-05:00 UTC",
        "    passport: 500 in 5 of 5 checks, 05:00-05:15 UTC, last good 04:24",
        "02 09:05 PAGE: V1 is down on all 3 endpoints (500, 502), first since 04:24-05:00 UTC",
        "    passport-list and passport-credentials: 502 in 5 of 5 checks, 09:00-09:05 UTC, last good 08:48",
        "    passport: 500 in 12 of 12 checks, 05:00-09:01 UTC, last good 04:24",
        "    This alert replaces down-passport-20260302T0500Z, which began earlier.",
        "02 11:05 PAGE (changed): V1's passport is down (500) since 04:24-05:00 UTC",
        "    passport-list and passport-credentials: 502 in 30 of 30 checks, 09:00-10:56 UTC, last good 08:48, good since 11:00",
        "    passport: 500 in 17 of 17 checks, 05:00-11:01 UTC, last good 04:24",
        "    This alert replaces down-passport-20260302T0500Z, which began earlier.",
        "02 14:05 RESOLVED: V1 was down on all 3 endpoints for up to 9 h 36 min (502, 500)",
        "    passport-list and passport-credentials: from 08:48-09:00 until 10:56-11:00 UTC, 502 in 30 of 30 checks",
        "    passport: from 04:24-05:00 until 13:24-14:00 UTC, 500 in 21 of 21 checks",
        "    This also ends down-passport-20260302T0500Z, which it had replaced.",
        "Outlook: V1 shows no retirement signals. no Sunset or Deprecation header is confirmed in 193 observations since 2026-03-02 00:00 UTC; no recurring outages, no withdrawn endpoint, no stub data and no frozen data is known",
      ]
    `);
  });
  test("Each endpoint is back at another hour", () => {
    const steps: Step[] = [
      { from: 6, to: 8, on: list, is: status(503) },
      { from: 6, to: 11, on: single, is: status(503) },
      { from: 6, to: 16, on: credentials, is: status(503) },
    ];
    expect(read(steps, 1)).toMatchInlineSnapshot(`
      [
        "02 06:05 PAGE: V1 is down on all 3 endpoints (503) since 05:48-06:00 UTC",
        "    all 3 endpoints: 503 in 7 of 7 checks, 06:00-06:05 UTC, last good 05:48",
        "02 08:29 PAGE (changed): V1 is down on passport and passport-credentials since 05:48-06:01 UTC",
        "    passport and passport-credentials: 503 in 14 of 14 checks, 06:01-08:25 UTC, last good 05:48",
        "    passport-list: 503 in 6 of 6 checks, 06:00-07:48 UTC, last good 05:24, good since 08:24",
        "02 11:05 PAGE (changed): V1's passport-credentials is down (503) since 05:48-06:01 UTC",
        "    passport-list: 503 in 6 of 6 checks, 06:00-07:48 UTC, last good 05:24, good since 08:24",
        "    passport: 503 in 11 of 11 checks, 06:01-10:24 UTC, last good 05:36, good since 11:00",
        "    passport-credentials: 503 in 12 of 12 checks, 06:01-11:01 UTC, last good 05:48",
        "02 16:05 RESOLVED: V1 was down on all 3 endpoints for up to 10 h 12 min (503)",
        "    passport-list: from 05:24-06:00 until 07:48-08:24 UTC, 503 in 6 of 6 checks",
        "    passport: from 05:36-06:01 until 10:24-11:00 UTC, 503 in 11 of 11 checks",
        "    passport-credentials: from 05:48-06:01 until 15:24-16:00 UTC, 503 in 20 of 20 checks",
        "Outlook: V1 shows no retirement signals. no Sunset or Deprecation header is confirmed in 170 observations since 2026-03-02 00:00 UTC; no recurring outages, no withdrawn endpoint, no stub data and no frozen data is known",
      ]
    `);
  });
});
