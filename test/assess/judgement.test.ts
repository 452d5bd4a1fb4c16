// What is decided and told of one history for each family of rules: every instant and number of every message.
import { describe, expect, test } from "vitest";
import type { EndpointId } from "../../lib/contract/endpoints.ts";
import { gapOf } from "../../lib/contract/gaps.ts";
import type { Decision } from "../../lib/records/incident.ts";
import type { Finding, Observation } from "../../lib/records/observation.ts";
import { type Outcome, type Request, type Service, startMs, type WatchOptions, watch } from "./driver.ts";
import { dayMs, hourMs, minuteMs, observationOf } from "./observation-builder.ts";
import { transcriptOf } from "./transcript.ts";

type Part = {
  /** Hours after the start. */
  from?: number;
  to?: number;
  on?: EndpointId;
  variant?: Request["variant"];
  /** Once in so many hours, for `to - from` hours. */
  every?: number;
  is: NonNullable<Outcome> | ((request: Request) => NonNullable<Outcome>);
};

/** The first part that applies says what V1 does; a healthy V1 where none does. */
const script =
  (...parts: Part[]): Service =>
  (request) => {
    const hour = (request.atMs - startMs) / hourMs;
    const part = parts.find(({ from = 0, to = Infinity, on, variant, every }) => {
      const since = hour - from;
      const isTime = since >= 0 && (every === undefined ? since : since % every) < to - from;
      return isTime && (!on || on === request.endpoint) && (!variant || variant === request.variant);
    });
    return (typeof part?.is === "function" ? part.is(request) : part?.is) ?? {};
  };

/** A check just before another one of its endpoint, which the schedule knows nothing of. */
const before = (one: Observation, outcome: NonNullable<Outcome>): Observation => {
  const { endpoint, variant, sample } = one;
  const at = Date.parse(one.at) - 50;
  const added = observationOf({ endpoint, variant, at, sample, reason: "confirmation", ...outcome });
  return { ...added, id: `${one.id}/before` };
};

/** A score of 0 of a record that was never served with another one says nothing of V1, whatever the rule. */
const addMute = (tick: readonly Observation[]): Observation[] =>
  tick.flatMap((one) => {
    if (!one.isPrimary || one.sample === undefined) return [one];
    return [before(one, { notices: { body: "stub-data" }, sample: "ffffffffff" }), one];
  });

const noData = { records: 0, dated: 0, muted: true };
const isContradictory: Finding = {
  id: "passport-list total pagination",
  path: "meta.total",
  kind: "pagination",
  expected: "1000",
  observed: "1",
  count: 1,
  of: 1,
  level: "breaking",
};
/** They say nothing of the data: no data, a total that contradicts the records, and now and then an error. */
const empty: readonly NonNullable<Outcome>[] = [
  { staleness: null, timings: { totalMs: 0 } },
  { staleness: { ...noData, total: 1 }, findings: [isContradictory], timings: { totalMs: 0 } },
  { staleness: { ...noData }, timings: { totalMs: 0 } },
  { status: 503 },
];
const addEmpty = (tick: readonly Observation[]): Observation[] =>
  tick.flatMap((one) => {
    if (!one.isPrimary || one.endpoint !== "passport-list") return [one];
    return [before(one, empty[Math.floor(Date.parse(one.at) / (3 * hourMs)) % empty.length]!), one];
  });

/** The order of what a response holds says nothing. */
const reverse = ({ findings, evidence, records, ...one }: Observation): Observation => ({
  ...one,
  findings: findings.toReversed(),
  evidence: evidence.toReversed(),
  ...(records && { records: records.toReversed() }),
});

/** Each history is judged with what changes nothing of it. */
const play = (parts: Part[], options: Partial<WatchOptions> = {}) =>
  transcriptOf(watch(script(...parts), { days: 1, alter: (tick) => addMute(tick.map(reverse)), ...options }));

const status = (code: number): NonNullable<Outcome> => ({ status: code });
const hoursAfter = (hours: number) => new Date(startMs + hours * hourMs).toISOString();

describe("failures", () => {
  test("An outage of all endpoints", () => {
    expect(play([{ from: 6, to: 8, is: status(503) }])).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page down on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{503:7},lastResponse:503}",
        "02 08:05:00 RESOLVED page down on all: 16/16 in 6480 s, 02 06:00:00 to 02 07:48:00, good until 02 05:48:00, good from 02 08:00:00 {responses:{503:16},lastResponse:503}",
      ]
    `);
  });
  test("An outage of one endpoint, with another response in between", () => {
    const parts: Part[] = [
      { from: 7, to: 7.7, on: "passport", is: status(500) },
      { from: 6, to: 10, on: "passport", is: { outcome: { kind: "timeout" } } },
    ];
    expect(play(parts)).toMatchInlineSnapshot(`
      [
        "02 06:27:00 OPENED page down on passport: 5/5 in 900 s, 02 06:12:00 to 02 06:27:00, good until 02 05:36:00 {responses:{timeout:5},lastResponse:timeout}",
        "02 10:29:00 RESOLVED page down on passport: 11/11 in 12960 s, 02 06:12:00 to 02 09:48:00, good until 02 05:36:00, good from 02 10:24:00 {responses:{500:1,timeout:10},lastResponse:timeout}",
      ]
    `);
  });
  test("One endpoint, then all, then one that is left", () => {
    const parts: Part[] = [
      { from: 5, to: 14, on: "passport", is: status(500) },
      { from: 9, to: 11, is: status(502) },
    ];
    expect(play(parts)).toMatchInlineSnapshot(`
      [
        "02 05:15:00 OPENED page down on passport: 5/5 in 900 s, 02 05:00:00 to 02 05:15:00, good until 02 04:24:00 {responses:{500:5},lastResponse:500}",
        "02 09:05:00 OPENED page down on all: 17/17 in 14700 s, 02 05:00:00 to 02 09:05:00, good until 02 04:24:00 {responses:{500:12,502:5},lastResponse:502}",
        "02 11:05:00 CHANGED page down on passport: 17/17 in 21660 s, 02 05:00:00 to 02 11:01:00, good until 02 04:24:00 {responses:{500:17},lastResponse:500}",
        "02 14:05:00 RESOLVED page down on all: 51/51 in 30240 s, 02 05:00:00 to 02 13:24:00, good until 02 04:24:00, good from 02 14:00:00 {responses:{500:21,502:30},lastResponse:500}",
      ]
    `);
  });
  test("Two endpoints with an hour between them", () => {
    const parts: Part[] = [
      { from: 5, to: 9, on: "passport", is: status(500) },
      { from: 6.5, to: 10, on: "passport-list", is: status(500) },
    ];
    expect(play(parts)).toMatchInlineSnapshot(`
      [
        "02 05:15:00 OPENED page down on passport: 5/5 in 900 s, 02 05:00:00 to 02 05:15:00, good until 02 04:24:00 {responses:{500:5},lastResponse:500}",
        "02 06:51:00 OPENED page down on passport-list: 5/5 in 900 s, 02 06:36:00 to 02 06:51:00, good until 02 06:00:00 {responses:{500:5},lastResponse:500}",
        "02 09:17:00 RESOLVED page down on passport: 12/12 in 12960 s, 02 05:00:00 to 02 08:36:00, good until 02 04:24:00, good from 02 09:12:00 {responses:{500:12},lastResponse:500}",
        "02 10:17:00 RESOLVED page down on passport-list: 29/29 in 10800 s, 02 06:36:00 to 02 09:36:00, good until 02 06:00:00, good from 02 10:12:00 {responses:{500:29},lastResponse:500}",
      ]
    `);
  });
  test("Restarts of three minutes, and one endpoint for ten, are nothing", () => {
    const parts: Part[] = [
      { from: 2, to: 2.05, every: 7, is: status(502) },
      { from: 4.4, to: 4.55, on: "passport", is: status(502) },
    ];
    expect(play(parts)).toEqual([]);
  });
  test("The key is refused, then nobody is served for two days", () => {
    const parts: Part[] = [
      { from: 30, to: 34, variant: "authenticated", is: status(401) },
      { from: 34, to: 82, is: status(401) },
    ];
    expect(play(parts, { days: 4 })).toMatchInlineSnapshot(`
      [
        "03 06:05:01 OPENED page key-refused on all: 7/7 in 301 s, 03 06:00:00 to 03 06:05:00, good until 03 05:48:00 {responses:{401:7},lastResponse:401,anonymousBefore:served,anonymousServed:6,anonymousRefused:0}",
        "03 11:05:01 CHANGED page maybe-retired on all: 4/4 in 240 s, 03 11:01:00 to 03 11:05:00, good until 03 05:48:00 {responses:{401:4},lastResponse:401,anonymousBefore:served,anonymousServed:0,anonymousRefused:4,causes:[{rule:key-refused,from:2026-03-03T06:00:00},{rule:maybe-retired,from:2026-03-03T11:01:00}]}",
        "04 09:00:00 REMINDER page maybe-retired on all: 114/114 in 79139 s, 03 11:01:00 to 04 09:00:00, good until 03 05:48:00 {responses:{401:114},lastResponse:401,anonymousBefore:served,anonymousServed:0,anonymousRefused:15,causes:[{rule:key-refused,from:2026-03-03T06:00:00},{rule:maybe-retired,from:2026-03-03T11:01:00}]}",
        "04 11:36:00 CHANGED page retired on all: 127/127 in 88500 s, 03 11:01:00 to 04 11:36:00, good until 03 05:48:00 {responses:{401:127},lastResponse:401,anonymousBefore:served,anonymousServed:0,anonymousRefused:16,causes:[{rule:key-refused,from:2026-03-03T06:00:00},{rule:maybe-retired,from:2026-03-03T11:01:00}]}",
        "05 09:00:00 REMINDER page retired on all: 234/234 in 165539 s, 03 11:01:00 to 05 09:00:00, good until 03 05:48:00 {responses:{401:234},lastResponse:401,anonymousBefore:served,anonymousServed:0,anonymousRefused:27,causes:[{rule:key-refused,from:2026-03-03T06:00:00},{rule:maybe-retired,from:2026-03-03T11:01:00}]}",
        "05 10:05:00 RESOLVED page retired on all: 272/272 in 186480 s, 03 06:00:00 to 05 09:48:00, good until 03 05:48:00, good from 05 10:00:00 {responses:{401:272},lastResponse:401,anonymousBefore:served,anonymousServed:12,anonymousRefused:30,causes:[{rule:key-refused,from:2026-03-03T06:00:00},{rule:maybe-retired,from:2026-03-03T11:01:00}]}",
      ]
    `);
  });
  test("The key of a V1 that never served without one is refused", () => {
    const parts: Part[] = [
      { variant: "anonymous", is: status(401) },
      { from: 6, to: 9, is: status(401) },
    ];
    expect(play(parts)).toMatchInlineSnapshot(`
      [
        "02 06:05:01 OPENED page maybe-retired on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{401:7},lastResponse:401,anonymousBefore:never-served,anonymousServed:0,anonymousRefused:6}",
        "02 09:05:00 RESOLVED page maybe-retired on all: 21/21 in 10081 s, 02 06:00:00 to 02 08:48:00, good until 02 05:48:00, good from 02 09:00:00 {responses:{401:21},lastResponse:401,anonymousBefore:never-served,anonymousServed:0,anonymousRefused:11}",
      ]
    `);
  });
  test("Without a key, 401 for all", () => {
    expect(play([{ from: 6, to: 9, is: status(401) }], { hasKey: false })).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page maybe-retired on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{401:7},lastResponse:401,anonymousBefore:served}",
        "02 09:05:00 RESOLVED page maybe-retired on all: 21/21 in 10081 s, 02 06:00:00 to 02 08:48:00, good until 02 05:48:00, good from 02 09:00:00 {responses:{401:21},lastResponse:401,anonymousBefore:served}",
      ]
    `);
  });
  test("One endpoint refuses the key", () => {
    expect(play([{ from: 6, to: 9, on: "passport", is: status(401) }])).toMatchInlineSnapshot(`
      [
        "02 06:27:00 OPENED page access-refused on passport: 7/7 in 900 s, 02 06:12:00 to 02 06:27:00, good until 02 05:36:00 {responses:{401:7},lastResponse:401,anonymousBefore:served,anonymousServed:0,anonymousRefused:6}",
        "02 09:17:00 RESOLVED page access-refused on passport: 11/11 in 8640 s, 02 06:12:00 to 02 08:36:00, good until 02 05:36:00, good from 02 09:12:00 {responses:{401:11},lastResponse:401,anonymousBefore:served,anonymousServed:0,anonymousRefused:7}",
      ]
    `);
  });
  test("The quota is exhausted", () => {
    const is = { status: 401, notices: { usage: { current: 5_000, limit: 5_000, exhausted: true } } };
    expect(play([{ from: 6, to: 9, is }])).toMatchInlineSnapshot(`
      [
        "02 06:05:01 OPENED page quota-exhausted on all: 10/10 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{401:10},lastResponse:401,usageCurrent:5000,usageLimit:5000}",
        "02 09:05:00 RESOLVED page quota-exhausted on all: 27/27 in 10081 s, 02 06:00:00 to 02 08:48:00, good until 02 05:48:00, good from 02 09:00:00 {responses:{401:27},lastResponse:401,usageCurrent:5000,usageLimit:5000}",
      ]
    `);
  });
  test("Everything is gone after the announced day", () => {
    const notices = { sunset: hoursAfter(24) };
    const parts: Part[] = [{ from: 24.2, is: status(410) }, { is: { notices } }];
    expect(play(parts, { days: 3 })).toMatchInlineSnapshot(`
      [
        "02 00:00:00 OPENED warning sunset on all: 3/3 in 1 s, 02 00:00:00 to 02 00:00:00, good until none {source:sunset,date:2026-03-03T00:00:00,dates:{passport-list:2026-03-03T00:00:00,passport:2026-03-03T00:00:00,passport-credentials:2026-03-03T00:00:00}}",
        "03 00:17:00 OPENED page retired on all: 7/7 in 300 s, 03 00:12:00 to 03 00:17:00, good until 03 00:00:00 {responses:{410:7},lastResponse:410,announcedEnd:2026-03-03T00:00:00,samples:3}",
        "03 09:00:00 REMINDER page retired on all: 51/51 in 31680 s, 03 00:12:00 to 03 09:00:00, good until 03 00:00:00 {responses:{410:51},lastResponse:410,announcedEnd:2026-03-03T00:00:00,samples:3}",
        "04 09:00:00 REMINDER page retired on all: 171/171 in 118080 s, 03 00:12:00 to 04 09:00:00, good until 03 00:00:00 {responses:{410:171},lastResponse:410,announcedEnd:2026-03-03T00:00:00,samples:3}",
      ]
    `);
  });
  test("Everything is gone without an announcement, and retired after a day", () => {
    expect(play([{ from: 6, is: status(404) }], { days: 2 })).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page withdrawn on all: 9/9 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{404:9},lastResponse:404,samples:2}",
        "03 06:36:00 CHANGED page retired on all: 132/132 in 88560 s, 02 06:00:00 to 03 06:36:00, good until 02 05:48:00 {responses:{404:132},lastResponse:404,samples:3}",
      ]
    `);
  });
  test("Everything is gone after the configured day", () => {
    const settings = { retirementDate: "2026-03-02" };
    const transcript = play([{ from: 26, is: status(410) }], { days: 2, settings });
    expect(transcript).toMatchInlineSnapshot(`
      [
        "03 00:24:00 OPENED warning sunset-passed on all: 3/3 in 1441 s, 03 00:00:00 to 03 00:24:00, good until 02 23:48:00 {source:configured,date:2026-03-02T23:59:59}",
        "03 02:05:00 OPENED page retired on all: 7/7 in 300 s, 03 02:00:00 to 03 02:05:00, good until 03 01:48:00 {responses:{410:7},lastResponse:410,announcedEnd:2026-03-02T23:59:59,samples:3}",
        "03 09:00:00 REMINDER page retired on all: 42/42 in 25200 s, 03 02:00:00 to 03 09:00:00, good until 03 01:48:00 {responses:{410:42},lastResponse:410,announcedEnd:2026-03-02T23:59:59,samples:3}",
      ]
    `);
  });
  test("A sample that was deleted is nothing", () => {
    const is = ({ sample }: Request) => (sample === "00000000b2" ? status(404) : {});
    expect(play([{ from: 6, on: "passport", is }])).toEqual([]);
  });
  test("Throttled for an hour", () => {
    expect(play([{ from: 6, to: 7.5, is: status(429) }])).toMatchInlineSnapshot(`
      [
        "02 06:36:00 OPENED page throttled on all: 10/10 in 2160 s, 02 06:00:00 to 02 06:36:00, good until 02 05:48:00 {responses:{429:10},lastResponse:429}",
        "02 07:41:00 RESOLVED page throttled on all: 14/14 in 5040 s, 02 06:00:00 to 02 07:24:00, good until 02 05:48:00, good from 02 07:36:00 {responses:{429:14},lastResponse:429}",
      ]
    `);
  });
  test("Throttled inside an outage", () => {
    const parts: Part[] = [
      { from: 7, to: 8, is: status(429) },
      { from: 6, to: 9, is: status(503) },
    ];
    expect(play(parts)).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page down on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{503:7},lastResponse:503}",
        "02 07:05:00 CHANGED page throttled on all: 7/7 in 300 s, 02 07:00:00 to 02 07:05:00, good until 02 05:48:00 {responses:{429:7},lastResponse:429,causes:[{rule:down,from:2026-03-02T06:00:00},{rule:throttled,from:2026-03-02T07:00:00}]}",
        "02 08:05:00 CHANGED page down on all: 7/7 in 300 s, 02 08:00:00 to 02 08:05:00, good until 02 05:48:00 {responses:{503:7},lastResponse:503,causes:[{rule:down,from:2026-03-02T06:00:00},{rule:throttled,from:2026-03-02T07:00:00},{rule:down,from:2026-03-02T08:00:00}]}",
        "02 09:05:00 RESOLVED page down on all: 33/33 in 10081 s, 02 06:00:00 to 02 08:48:00, good until 02 05:48:00, good from 02 09:00:00 {responses:{429:11,503:22},lastResponse:503,isMixed:true,causes:[{rule:down,from:2026-03-02T06:00:00},{rule:throttled,from:2026-03-02T07:00:00},{rule:down,from:2026-03-02T08:00:00}]}",
      ]
    `);
  });
  test("Unreachable, then forbidden by a web page, then a redirect to a login", () => {
    const parts: Part[] = [
      { from: 6, to: 8, is: { outcome: { kind: "network", detail: "refused" } } },
      { from: 8, to: 10, is: { outcome: { kind: "status", status: 403, detail: "html" } } },
      { from: 10, to: 12, is: { status: 302, notices: { redirect: { origin: "same", leadsTo: "login" } } } },
    ];
    expect(play(parts)).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page down on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{connection refused:7},lastResponse:connection refused}",
        "02 08:05:00 CHANGED page access-refused on all: 7/7 in 300 s, 02 08:00:00 to 02 08:05:00, good until 02 05:48:00 {responses:{403:7},lastResponse:403,isWebPage:true,causes:[{rule:down,from:2026-03-02T06:00:00},{rule:access-refused,from:2026-03-02T08:00:00}]}",
        "02 10:05:00 CHANGED page withdrawn on all: 7/7 in 300 s, 02 10:00:00 to 02 10:05:00, good until 02 05:48:00 {responses:{302:7},lastResponse:302,redirectsTo:login,samples:3,causes:[{rule:down,from:2026-03-02T06:00:00},{rule:access-refused,from:2026-03-02T08:00:00},{rule:withdrawn,from:2026-03-02T10:00:00}]}",
        "02 12:05:00 RESOLVED page withdrawn on all: 48/48 in 20881 s, 02 06:00:00 to 02 11:48:00, good until 02 05:48:00, good from 02 12:00:00 {responses:{302:16,403:16,connection refused:16},lastResponse:302,redirectsTo:login,samples:3,isMixed:true,causes:[{rule:down,from:2026-03-02T06:00:00},{rule:access-refused,from:2026-03-02T08:00:00},{rule:withdrawn,from:2026-03-02T10:00:00}]}",
      ]
    `);
  });
  test.each<[string, NonNullable<Outcome>]>([
    ["serves-v2", { notices: { body: "v2-shaped" } }],
    ["stub-data", { notices: { body: "stub-data" } }],
    ["empty-list", { notices: { body: "empty" } }],
    ["not-json", { outcome: { kind: "not-json", detail: "html", status: 200 } }],
    ["unsafe-response", { outcome: { kind: "too-large", status: 200 } }],
  ])("A 200 without V1's data is told as %s", (rule, is) => {
    const { events } = watch(script({ from: 6, to: 9, is }), { days: 0.5 });
    expect(events.map(({ event, incident }) => `${event} ${incident.rule}`)).toEqual([
      `opened ${rule}`,
      `resolved ${rule}`,
    ]);
  });
});

describe("failures now and then", () => {
  /** Every so many scheduled checks of an endpoint, by the clock. */
  const oneIn =
    (checks: number, code: number) =>
    ({ atMs, reason }: Request) =>
      reason === "scheduled" && Math.round((atMs - startMs) / (12 * minuteMs)) % checks === 0
        ? status(code)
        : {};

  test("One check in ten fails for a day, one in three for another one", () => {
    const parts: Part[] = [
      { from: 24, to: 48, is: oneIn(10, 502) },
      { from: 48, to: 72, is: oneIn(4, 502) },
    ];
    expect(play(parts, { days: 5 })).toMatchInlineSnapshot(`
      [
        "03 12:00:00 OPENED warning error-rate on all: 7/120 in 85680 s, 03 00:00:00 to 03 12:00:00, good until none {responses:{502:7}}",
        "04 18:24:00 CHANGED warning error-rate on all: 26/120 in 85681 s, 03 20:00:00 to 04 18:24:00, good until none {responses:{502:26}}",
        "05 04:00:00 RESOLVED warning error-rate on all: 26/120 in 85681 s, 03 20:00:00 to 04 23:12:00, good until none {responses:{502:26}}",
      ]
    `);
  });
  test("A quarter of the checks gets 401", () => {
    expect(play([{ from: 24, to: 60, is: oneIn(4, 401) }], { days: 4 })).toMatchInlineSnapshot(`
      [
        "03 04:48:00 OPENED warning unauthorized-rate on all: 7/120 in 85680 s, 03 00:00:00 to 03 04:48:00, good until none {responses:{401:7}}",
        "04 16:00:00 RESOLVED warning unauthorized-rate on all: 7/120 in 85680 s, 03 00:00:00 to 04 11:12:00, good until none {responses:{401:7}}",
      ]
    `);
  });
  test("An outage inside of it", () => {
    const parts: Part[] = [
      { from: 40, to: 42, is: status(503) },
      { from: 24, to: 48, is: oneIn(10, 502) },
    ];
    expect(play(parts, { days: 4 })).toMatchInlineSnapshot(`
      [
        "03 12:00:00 OPENED warning error-rate on all: 7/120 in 85680 s, 03 00:00:00 to 03 12:00:00, good until none {responses:{502:7}}",
        "03 16:48:00 OPENED page down on all: 8/8 in 2879 s, 03 16:00:00 to 03 16:48:00, good until 03 15:48:00 {responses:{503:8},lastResponse:503}",
        "03 18:05:00 RESOLVED page down on all: 37/37 in 7199 s, 03 16:00:00 to 03 18:00:00, good until 03 15:48:00, good from 03 18:00:00 {responses:{502:1,503:36},lastResponse:502}",
        "04 11:36:00 RESOLVED warning error-rate on all: 7/120 in 85680 s, 03 00:00:00 to 03 22:00:00, good until none {responses:{502:7},hasCovered:true}",
      ]
    `);
  });
  test("Twenty minutes of every hour", () => {
    expect(play([{ from: 6, to: 6.34, every: 1, is: status(503) }])).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page down on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{503:7},lastResponse:503}",
        "02 06:29:00 RESOLVED page down on all: 8/8 in 720 s, 02 06:00:00 to 02 06:12:00, good until 02 05:48:00, good from 02 06:24:00 {responses:{503:8},lastResponse:503}",
        "02 07:05:00 OPENED page down on all: 7/7 in 300 s, 02 07:00:00 to 02 07:05:00, good until 02 06:48:00 {responses:{503:7},lastResponse:503,comesAndGoes:true}",
      ]
    `);
  });
  test("An hour of every four", () => {
    expect(play([{ from: 6, to: 7, every: 4, is: status(503) }], { days: 2 })).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page down on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{503:7},lastResponse:503}",
        "02 07:05:00 RESOLVED page down on all: 11/11 in 2880 s, 02 06:00:00 to 02 06:48:00, good until 02 05:48:00, good from 02 07:00:00 {responses:{503:11},lastResponse:503}",
        "02 10:05:00 OPENED page down on all: 7/7 in 300 s, 02 10:00:00 to 02 10:05:00, good until 02 09:48:00 {responses:{503:7},lastResponse:503}",
        "02 11:05:00 RESOLVED page down on all: 11/11 in 2879 s, 02 10:00:00 to 02 10:48:00, good until 02 09:48:00, good from 02 11:00:00 {responses:{503:11},lastResponse:503}",
        "02 14:05:00 OPENED page down on all: 7/7 in 300 s, 02 14:00:00 to 02 14:05:00, good until 02 13:48:00 {responses:{503:7},lastResponse:503}",
        "02 15:05:00 RESOLVED page down on all: 11/11 in 2880 s, 02 14:00:00 to 02 14:48:00, good until 02 13:48:00, good from 02 15:00:00 {responses:{503:11},lastResponse:503}",
        "02 18:05:00 OPENED page down on all: 7/7 in 301 s, 02 18:00:00 to 02 18:05:00, good until 02 17:48:00 {responses:{503:7},lastResponse:503,comesAndGoes:true}",
        "02 21:48:00 RESOLVED page down on all: 11/11 in 2880 s, 02 18:00:00 to 02 18:48:00, good until 02 17:48:00, good from 02 19:00:00 {responses:{503:11},lastResponse:503,comesAndGoes:true}",
        "02 22:05:00 OPENED page down on all: 7/7 in 300 s, 02 22:00:00 to 02 22:05:00, good until 02 21:48:00 {responses:{503:7},lastResponse:503,comesAndGoes:true}",
        "03 01:48:00 RESOLVED page down on all: 11/11 in 2879 s, 02 22:00:00 to 02 22:48:00, good until 02 21:48:00, good from 02 23:00:00 {responses:{503:11},lastResponse:503,comesAndGoes:true}",
        "03 02:05:00 OPENED page down on all: 7/7 in 300 s, 03 02:00:00 to 03 02:05:00, good until 03 01:48:00 {responses:{503:7},lastResponse:503,comesAndGoes:true}",
        "03 05:48:00 RESOLVED page down on all: 11/11 in 2880 s, 03 02:00:00 to 03 02:48:00, good until 03 01:48:00, good from 03 03:00:00 {responses:{503:11},lastResponse:503,comesAndGoes:true}",
        "03 06:05:00 OPENED page down on all: 7/7 in 301 s, 03 06:00:00 to 03 06:05:00, good until 03 05:48:00 {responses:{503:7},lastResponse:503,comesAndGoes:true}",
        "03 09:48:00 RESOLVED page down on all: 11/11 in 2880 s, 03 06:00:00 to 03 06:48:00, good until 03 05:48:00, good from 03 07:00:00 {responses:{503:11},lastResponse:503,comesAndGoes:true}",
        "03 10:05:00 OPENED page down on all: 7/7 in 300 s, 03 10:00:00 to 03 10:05:00, good until 03 09:48:00 {responses:{503:7},lastResponse:503,comesAndGoes:true}",
        "03 13:48:00 RESOLVED page down on all: 11/11 in 2879 s, 03 10:00:00 to 03 10:48:00, good until 03 09:48:00, good from 03 11:00:00 {responses:{503:11},lastResponse:503,comesAndGoes:true}",
        "03 14:05:00 OPENED page down on all: 7/7 in 300 s, 03 14:00:00 to 03 14:05:00, good until 03 13:48:00 {responses:{503:7},lastResponse:503,comesAndGoes:true}",
        "03 17:48:00 RESOLVED page down on all: 11/11 in 2880 s, 03 14:00:00 to 03 14:48:00, good until 03 13:48:00, good from 03 15:00:00 {responses:{503:11},lastResponse:503,comesAndGoes:true}",
        "03 18:05:00 OPENED page down on all: 7/7 in 301 s, 03 18:00:00 to 03 18:05:00, good until 03 17:48:00 {responses:{503:7},lastResponse:503,comesAndGoes:true}",
        "03 21:48:00 RESOLVED page down on all: 11/11 in 2880 s, 03 18:00:00 to 03 18:48:00, good until 03 17:48:00, good from 03 19:00:00 {responses:{503:11},lastResponse:503,comesAndGoes:true}",
        "03 22:05:00 OPENED page down on all: 7/7 in 300 s, 03 22:00:00 to 03 22:05:00, good until 03 21:48:00 {responses:{503:7},lastResponse:503,comesAndGoes:true}",
      ]
    `);
  });
});

describe("outages that come back", () => {
  const nightly: Part = { from: 2, to: 3, every: 24, is: status(503) };
  test("The same hour of five days, then none", () => {
    const parts: Part[] = [{ from: 5 * 24, is: {} }, nightly];
    expect(play(parts, { days: 9 })).toMatchInlineSnapshot(`
      [
        "02 02:05:00 OPENED page down on all: 7/7 in 300 s, 02 02:00:00 to 02 02:05:00, good until 02 01:48:00 {responses:{503:7},lastResponse:503}",
        "02 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 02 02:00:00 to 02 02:48:00, good until 02 01:48:00, good from 02 03:00:00 {responses:{503:11},lastResponse:503}",
        "03 02:05:00 OPENED page down on all: 7/7 in 300 s, 03 02:00:00 to 03 02:05:00, good until 03 01:48:00 {responses:{503:7},lastResponse:503}",
        "03 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 03 02:00:00 to 03 02:48:00, good until 03 01:48:00, good from 03 03:00:00 {responses:{503:11},lastResponse:503}",
        "04 02:05:00 OPENED page down on all: 7/7 in 300 s, 04 02:00:00 to 04 02:05:00, good until 04 01:48:00 {responses:{503:7},lastResponse:503}",
        "04 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 04 02:00:00 to 04 02:48:00, good until 04 01:48:00, good from 04 03:00:00 {responses:{503:11},lastResponse:503}",
        "04 03:05:00 OPENED warning recurring-outages on all: 33/33 in 175680 s, 02 02:00:00 to 04 02:48:00, good until none {windows:[{after:2026-03-02T01:48:00,firstBad:2026-03-02T02:00:00,lastBad:2026-03-02T02:48:00,firstGood:2026-03-02T03:00:00},{after:2026-03-03T01:48:00,firstBad:2026-03-03T02:00:00,lastBad:2026-03-03T02:48:00,firstGood:2026-03-03T03:00:00},{after:2026-03-04T01:48:00,firstBad:2026-03-04T02:00:00,lastBad:2026-03-04T02:48:00,firstGood:2026-03-04T03:00:00}],next:{after:2026-03-05T01:48:00,from:2026-03-05T02:00:00,until:2026-03-05T03:00:00},pattern:at the same hour, so far on workdays}",
        "05 02:05:00 OPENED warning down on all: 7/7 in 300 s, 05 02:00:00 to 05 02:05:00, good until 05 01:48:00 {responses:{503:7},lastResponse:503,expectedUntil:2026-03-05T03:00:00}",
        "05 03:05:00 RESOLVED warning down on all: 11/11 in 2880 s, 05 02:00:00 to 05 02:48:00, good until 05 01:48:00, good from 05 03:00:00 {responses:{503:11},lastResponse:503,expectedUntil:2026-03-05T03:00:00}",
        "06 02:05:00 OPENED warning down on all: 7/7 in 300 s, 06 02:00:00 to 06 02:05:00, good until 06 01:48:00 {responses:{503:7},lastResponse:503,expectedUntil:2026-03-06T03:00:00}",
        "06 03:05:00 RESOLVED warning down on all: 11/11 in 2880 s, 06 02:00:00 to 06 02:48:00, good until 06 01:48:00, good from 06 03:00:00 {responses:{503:11},lastResponse:503,expectedUntil:2026-03-06T03:00:00}",
        "10 04:24:00 RESOLVED warning recurring-outages on all: 55/55 in 348480 s, 02 02:00:00 to 06 02:48:00, good until none {windows:[{after:2026-03-02T01:48:00,firstBad:2026-03-02T02:00:00,lastBad:2026-03-02T02:48:00,firstGood:2026-03-02T03:00:00},{after:2026-03-03T01:48:00,firstBad:2026-03-03T02:00:00,lastBad:2026-03-03T02:48:00,firstGood:2026-03-03T03:00:00},{after:2026-03-04T01:48:00,firstBad:2026-03-04T02:00:00,lastBad:2026-03-04T02:48:00,firstGood:2026-03-04T03:00:00},{after:2026-03-05T01:48:00,firstBad:2026-03-05T02:00:00,lastBad:2026-03-05T02:48:00,firstGood:2026-03-05T03:00:00},{after:2026-03-06T01:48:00,firstBad:2026-03-06T02:00:00,lastBad:2026-03-06T02:48:00,firstGood:2026-03-06T03:00:00}],next:{after:2026-03-11T01:48:00,from:2026-03-11T02:00:00,until:2026-03-11T03:00:00},pattern:at the same hour, so far on workdays}",
      ]
    `);
  });
  test("Workdays only, and one that outlasts its window", () => {
    const parts: Part[] = [
      { from: 5 * 24, to: 7 * 24, is: {} },
      { from: 9 * 24 + 2, to: 9 * 24 + 5, is: status(503) },
      { from: 10 * 24, is: {} },
      nightly,
    ];
    expect(play(parts, { days: 11 })).toMatchInlineSnapshot(`
      [
        "02 02:05:00 OPENED page down on all: 7/7 in 300 s, 02 02:00:00 to 02 02:05:00, good until 02 01:48:00 {responses:{503:7},lastResponse:503}",
        "02 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 02 02:00:00 to 02 02:48:00, good until 02 01:48:00, good from 02 03:00:00 {responses:{503:11},lastResponse:503}",
        "03 02:05:00 OPENED page down on all: 7/7 in 300 s, 03 02:00:00 to 03 02:05:00, good until 03 01:48:00 {responses:{503:7},lastResponse:503}",
        "03 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 03 02:00:00 to 03 02:48:00, good until 03 01:48:00, good from 03 03:00:00 {responses:{503:11},lastResponse:503}",
        "04 02:05:00 OPENED page down on all: 7/7 in 300 s, 04 02:00:00 to 04 02:05:00, good until 04 01:48:00 {responses:{503:7},lastResponse:503}",
        "04 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 04 02:00:00 to 04 02:48:00, good until 04 01:48:00, good from 04 03:00:00 {responses:{503:11},lastResponse:503}",
        "04 03:05:00 OPENED warning recurring-outages on all: 33/33 in 175680 s, 02 02:00:00 to 04 02:48:00, good until none {windows:[{after:2026-03-02T01:48:00,firstBad:2026-03-02T02:00:00,lastBad:2026-03-02T02:48:00,firstGood:2026-03-02T03:00:00},{after:2026-03-03T01:48:00,firstBad:2026-03-03T02:00:00,lastBad:2026-03-03T02:48:00,firstGood:2026-03-03T03:00:00},{after:2026-03-04T01:48:00,firstBad:2026-03-04T02:00:00,lastBad:2026-03-04T02:48:00,firstGood:2026-03-04T03:00:00}],next:{after:2026-03-05T01:48:00,from:2026-03-05T02:00:00,until:2026-03-05T03:00:00},pattern:at the same hour, so far on workdays}",
        "05 02:05:00 OPENED warning down on all: 7/7 in 300 s, 05 02:00:00 to 05 02:05:00, good until 05 01:48:00 {responses:{503:7},lastResponse:503,expectedUntil:2026-03-05T03:00:00}",
        "05 03:05:00 RESOLVED warning down on all: 11/11 in 2880 s, 05 02:00:00 to 05 02:48:00, good until 05 01:48:00, good from 05 03:00:00 {responses:{503:11},lastResponse:503,expectedUntil:2026-03-05T03:00:00}",
        "06 02:05:00 OPENED warning down on all: 7/7 in 300 s, 06 02:00:00 to 06 02:05:00, good until 06 01:48:00 {responses:{503:7},lastResponse:503,expectedUntil:2026-03-06T03:00:00}",
        "06 03:05:00 RESOLVED warning down on all: 11/11 in 2880 s, 06 02:00:00 to 06 02:48:00, good until 06 01:48:00, good from 06 03:00:00 {responses:{503:11},lastResponse:503,expectedUntil:2026-03-06T03:00:00}",
        "09 02:05:00 OPENED warning down on all: 7/7 in 300 s, 09 02:00:00 to 09 02:05:00, good until 09 01:48:00 {responses:{503:7},lastResponse:503,expectedUntil:2026-03-09T03:00:00}",
        "09 03:05:00 RESOLVED warning down on all: 11/11 in 2880 s, 09 02:00:00 to 09 02:48:00, good until 09 01:48:00, good from 09 03:00:00 {responses:{503:11},lastResponse:503,expectedUntil:2026-03-09T03:00:00}",
        "10 02:05:00 OPENED warning down on all: 7/7 in 300 s, 10 02:00:00 to 10 02:05:00, good until 10 01:48:00 {responses:{503:7},lastResponse:503,expectedUntil:2026-03-10T03:00:00}",
        "10 03:05:00 RESOLVED warning down on all: 11/11 in 2880 s, 10 02:00:00 to 10 02:48:00, good until 10 01:48:00, good from 10 03:00:00 {responses:{503:11},lastResponse:503,expectedUntil:2026-03-10T03:00:00}",
        "11 02:05:00 OPENED warning down on all: 7/7 in 300 s, 11 02:00:00 to 11 02:05:00, good until 11 01:48:00 {responses:{503:7},lastResponse:503,expectedUntil:2026-03-11T03:00:00}",
        "11 03:12:00 CHANGED page down on all: 13/13 in 4320 s, 11 02:00:00 to 11 03:12:00, good until 11 01:48:00 {responses:{503:13},lastResponse:503}",
        "11 05:05:00 RESOLVED page down on all: 21/21 in 10080 s, 11 02:00:00 to 11 04:48:00, good until 11 01:48:00, good from 11 05:00:00 {responses:{503:21},lastResponse:503}",
      ]
    `);
  });
  test("Twice with a notice of the end", () => {
    const notices = { deprecation: { form: "draft-true" as const } };
    const parts: Part[] = [
      { from: 48, is: { notices } },
      { from: 2, to: 3, every: 24, is: { status: 503, notices } },
      { is: { notices } },
    ];
    expect(play(parts, { days: 3 })).toMatchInlineSnapshot(`
      [
        "02 00:00:00 OPENED warning deprecation on all: 3/3 in 1 s, 02 00:00:00 to 02 00:00:00, good until none {notices:[Deprecation]}",
        "02 02:05:00 OPENED page down on all: 7/7 in 300 s, 02 02:00:00 to 02 02:05:00, good until 02 01:48:00 {responses:{503:7},lastResponse:503}",
        "02 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 02 02:00:00 to 02 02:48:00, good until 02 01:48:00, good from 02 03:00:00 {responses:{503:11},lastResponse:503}",
        "03 02:05:00 OPENED page down on all: 7/7 in 300 s, 03 02:00:00 to 03 02:05:00, good until 03 01:48:00 {responses:{503:7},lastResponse:503}",
        "03 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 03 02:00:00 to 03 02:48:00, good until 03 01:48:00, good from 03 03:00:00 {responses:{503:11},lastResponse:503}",
        "03 03:05:00 OPENED warning recurring-outages on all: 22/22 in 89280 s, 02 02:00:00 to 03 02:48:00, good until none {windows:[{after:2026-03-02T01:48:00,firstBad:2026-03-02T02:00:00,lastBad:2026-03-02T02:48:00,firstGood:2026-03-02T03:00:00},{after:2026-03-03T01:48:00,firstBad:2026-03-03T02:00:00,lastBad:2026-03-03T02:48:00,firstGood:2026-03-03T03:00:00}],next:{after:2026-03-04T01:48:00,from:2026-03-04T02:00:00,until:2026-03-04T03:00:00},pattern:at the same hour, so far on workdays}",
      ]
    `);
  });
  test("While the monitor is off, no window is missed", () => {
    const parts: Part[] = [{ from: 4 * 24, is: {} }, nightly];
    const gaps = [{ fromMs: startMs + 3.5 * dayMs, untilMs: startMs + 6.5 * dayMs }];
    expect(play(parts, { days: 8, gaps })).toMatchInlineSnapshot(`
      [
        "02 02:05:00 OPENED page down on all: 7/7 in 300 s, 02 02:00:00 to 02 02:05:00, good until 02 01:48:00 {responses:{503:7},lastResponse:503}",
        "02 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 02 02:00:00 to 02 02:48:00, good until 02 01:48:00, good from 02 03:00:00 {responses:{503:11},lastResponse:503}",
        "03 02:05:00 OPENED page down on all: 7/7 in 300 s, 03 02:00:00 to 03 02:05:00, good until 03 01:48:00 {responses:{503:7},lastResponse:503}",
        "03 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 03 02:00:00 to 03 02:48:00, good until 03 01:48:00, good from 03 03:00:00 {responses:{503:11},lastResponse:503}",
        "04 02:05:00 OPENED page down on all: 7/7 in 300 s, 04 02:00:00 to 04 02:05:00, good until 04 01:48:00 {responses:{503:7},lastResponse:503}",
        "04 03:05:00 RESOLVED page down on all: 11/11 in 2880 s, 04 02:00:00 to 04 02:48:00, good until 04 01:48:00, good from 04 03:00:00 {responses:{503:11},lastResponse:503}",
        "04 03:05:00 OPENED warning recurring-outages on all: 33/33 in 175680 s, 02 02:00:00 to 04 02:48:00, good until none {windows:[{after:2026-03-02T01:48:00,firstBad:2026-03-02T02:00:00,lastBad:2026-03-02T02:48:00,firstGood:2026-03-02T03:00:00},{after:2026-03-03T01:48:00,firstBad:2026-03-03T02:00:00,lastBad:2026-03-03T02:48:00,firstGood:2026-03-03T03:00:00},{after:2026-03-04T01:48:00,firstBad:2026-03-04T02:00:00,lastBad:2026-03-04T02:48:00,firstGood:2026-03-04T03:00:00}],next:{after:2026-03-05T01:48:00,from:2026-03-05T02:00:00,until:2026-03-05T03:00:00},pattern:at the same hour, so far on workdays}",
        "05 02:05:00 OPENED warning down on all: 7/7 in 300 s, 05 02:00:00 to 05 02:05:00, good until 05 01:48:00 {responses:{503:7},lastResponse:503,expectedUntil:2026-03-05T03:00:00}",
        "05 03:05:00 RESOLVED warning down on all: 11/11 in 2880 s, 05 02:00:00 to 05 02:48:00, good until 05 01:48:00, good from 05 03:00:00 {responses:{503:11},lastResponse:503,expectedUntil:2026-03-05T03:00:00}",
        "05 14:00:00 OPENED page silent on all: 3/3 in 1441 s, 05 11:24:00 to 05 11:48:00, good until 05 11:12:00 {limitSeconds:6480}",
        "06 09:00:00 REMINDER page silent on all: 3/3 in 1441 s, 05 11:24:00 to 05 11:48:00, good until 05 11:12:00 {limitSeconds:6480}",
        "07 09:00:00 REMINDER page silent on all: 3/3 in 1441 s, 05 11:24:00 to 05 11:48:00, good until 05 11:12:00 {limitSeconds:6480}",
        "08 09:00:00 REMINDER page silent on all: 3/3 in 1441 s, 05 11:24:00 to 05 11:48:00, good until 05 11:12:00 {limitSeconds:6480}",
        "08 12:00:00 RESOLVED page silent on all: 3/3 in 1441 s, 05 11:24:00 to 05 11:48:00, good until 05 11:12:00, good from 08 12:00:00 {limitSeconds:6480}",
      ]
    `);
  });
});

describe("what V1 announces", () => {
  const sunset = (instant: string) => ({ notices: { sunset: instant } });
  const summer = "2026-07-01T00:00:00.000Z";
  test("A date on one endpoint, on all, moved, withdrawn", () => {
    const parts: Part[] = [
      { from: 6, to: 12, on: "passport", is: sunset(summer) },
      { from: 12, to: 18, is: sunset(summer) },
      { from: 18, to: 30, is: sunset("2026-09-01T00:00:00.000Z") },
    ];
    expect(play(parts, { days: 4 })).toMatchInlineSnapshot(`
      [
        "02 06:48:00 OPENED warning sunset on passport: 2/2 in 2160 s, 02 06:12:00 to 02 06:48:00, good until 02 05:36:00 {source:sunset,date:2026-07-01T00:00:00,dates:{passport:2026-07-01T00:00:00}}",
        "02 12:24:00 OPENED warning sunset on all: 13/13 in 22320 s, 02 06:12:00 to 02 12:24:00, good until 02 05:36:00 {source:sunset,date:2026-07-01T00:00:00,dates:{passport-list:2026-07-01T00:00:00,passport:2026-07-01T00:00:00,passport-credentials:2026-07-01T00:00:00}}",
        "02 18:24:00 CHANGED warning sunset on all: 43/43 in 43920 s, 02 06:12:00 to 02 18:24:00, good until 02 05:36:00 {source:sunset,date:2026-09-01T00:00:00,dates:{passport-list:2026-09-01T00:00:00,passport:2026-09-01T00:00:00,passport-credentials:2026-09-01T00:00:00},previousDates:{passport-list:2026-07-01T00:00:00,passport:2026-07-01T00:00:00,passport-credentials:2026-07-01T00:00:00},previousDate:2026-07-01T00:00:00}",
        "03 07:00:00 RESOLVED warning sunset on all: 100/100 in 84960 s, 02 06:12:00 to 03 05:48:00, good until 02 05:36:00, good from 03 06:00:00 {source:sunset,date:2026-09-01T00:00:00,dates:{passport-list:2026-09-01T00:00:00,passport:2026-09-01T00:00:00,passport-credentials:2026-09-01T00:00:00}}",
      ]
    `);
  });
  test("Different dates, and one that cannot be read", () => {
    const parts: Part[] = [
      { from: 6, to: 12, on: "passport", is: { notices: { sunsetText: "in summer" } } },
      { from: 6, on: "passport-list", is: sunset("2026-08-01T00:00:00.000Z") },
      { from: 6, is: sunset(summer) },
    ];
    expect(play(parts)).toMatchInlineSnapshot(`
      [
        "02 07:00:00 OPENED warning sunset on all: 6/6 in 3601 s, 02 06:00:00 to 02 07:00:00, good until 02 05:48:00 {source:sunset,date:2026-07-01T00:00:00,dates:{passport-list:2026-08-01T00:00:00,passport-credentials:2026-07-01T00:00:00},undated:{passport:unreadable},dateText:in summer}",
        "02 13:12:00 CHANGED warning sunset on all: 37/37 in 25920 s, 02 06:00:00 to 02 13:12:00, good until 02 05:48:00 {source:sunset,date:2026-07-01T00:00:00,dates:{passport-list:2026-08-01T00:00:00,passport:2026-07-01T00:00:00,passport-credentials:2026-07-01T00:00:00}}",
      ]
    `);
  });
  test("A date that moves with the clock", () => {
    const is = ({ atMs }: Request) => sunset(new Date(atMs + 30 * dayMs).toISOString());
    expect(play([{ from: 6, is }], { days: 3 })).toMatchInlineSnapshot(`
      [
        "02 06:24:00 OPENED warning sunset on all: 3/3 in 1441 s, 02 06:00:00 to 02 06:24:00, good until 02 05:48:00 {source:sunset,date:2026-04-01T06:00:00,dates:{passport-list:2026-04-01T06:00:00,passport:2026-04-01T06:12:00,passport-credentials:2026-04-01T06:24:00}}",
        "02 07:36:00 CHANGED warning sunset on all: 9/9 in 5761 s, 02 06:00:00 to 02 07:36:00, good until 02 05:48:00 {source:sunset,undated:{passport-list:always-ahead,passport:always-ahead,passport-credentials:always-ahead},aheadDays:30}",
      ]
    `);
  });
  test("A date from one backend of three", () => {
    const is = ({ random }: Request) => (random < 1 / 3 ? sunset(summer) : {});
    expect(play([{ from: 6, is }], { days: 3 })).toMatchInlineSnapshot(`
      [
        "02 06:36:00 OPENED warning sunset on passport-list+passport: 2/2 in 1440 s, 02 06:12:00 to 02 06:36:00, good until 02 06:00:00 {source:sunset,date:2026-07-01T00:00:00,dates:{passport-list:2026-07-01T00:00:00,passport:2026-07-01T00:00:00}}",
        "02 08:24:00 OPENED warning sunset on passport+passport-credentials: 2/2 in 720 s, 02 08:00:00 to 02 08:12:00, good until 02 07:36:00 {source:sunset,date:2026-07-01T00:00:00,dates:{passport:2026-07-01T00:00:00,passport-credentials:2026-07-01T00:00:00}}",
        "02 15:12:00 CHANGED warning sunset on all: 10/29 in 30960 s, 02 06:36:00 to 02 15:12:00, good until 02 06:00:00 {source:sunset,date:2026-07-01T00:00:00,dates:{passport-list:2026-07-01T00:00:00,passport:2026-07-01T00:00:00,passport-credentials:2026-07-01T00:00:00},comesAndGoes:true}",
      ]
    `);
  });
  test("A date that passes while V1 serves", () => {
    expect(play([{ from: 6, is: sunset(hoursAfter(20)) }], { days: 2 })).toMatchInlineSnapshot(`
      [
        "02 06:24:00 OPENED warning sunset on all: 3/3 in 1441 s, 02 06:00:00 to 02 06:24:00, good until 02 05:48:00 {source:sunset,date:2026-03-02T20:00:00,dates:{passport-list:2026-03-02T20:00:00,passport:2026-03-02T20:00:00,passport-credentials:2026-03-02T20:00:00}}",
        "02 20:48:00 CHANGED warning sunset-passed on all: 75/75 in 53281 s, 02 06:00:00 to 02 20:48:00, good until 02 05:48:00 {source:sunset,date:2026-03-02T20:00:00,dates:{passport-list:2026-03-02T20:00:00,passport:2026-03-02T20:00:00,passport-credentials:2026-03-02T20:00:00},outlived:[passport-list,passport,passport-credentials]}",
      ]
    `);
  });
  test("The configured day passes while V1 serves", () => {
    expect(play([], { days: 2, settings: { retirementDate: "2026-03-02" } })).toMatchInlineSnapshot(`
      [
        "03 00:24:00 OPENED warning sunset-passed on all: 3/3 in 1441 s, 03 00:00:00 to 03 00:24:00, good until 02 23:48:00 {source:configured,date:2026-03-02T23:59:59}",
      ]
    `);
  });
  test("Deprecation, then also a link, then neither", () => {
    const deprecation = { form: "rfc9745" as const, at: "2026-02-01T00:00:00.000Z" };
    const parts: Part[] = [
      { from: 6, to: 12, is: { notices: { deprecation } } },
      {
        from: 12,
        to: 18,
        is: { notices: { deprecation, links: ["sunset", "latest-version"], warning: 299 } },
      },
      { from: 18, to: 30, is: { notices: { message: true } } },
    ];
    expect(play(parts, { days: 5 })).toMatchInlineSnapshot(`
      [
        "02 06:24:00 OPENED warning deprecation on all: 3/3 in 1441 s, 02 06:00:00 to 02 06:24:00, good until 02 05:48:00 {notices:[Deprecation 2026-02-01]}",
        "02 12:24:00 CHANGED warning deprecation on all: 33/33 in 23041 s, 02 06:00:00 to 02 12:24:00, good until 02 05:48:00 {notices:[Deprecation 2026-02-01,Link rel=sunset,Warning 299]}",
        "02 18:24:00 CHANGED warning deprecation on all: 63/63 in 44641 s, 02 06:00:00 to 02 18:24:00, good until 02 05:48:00 {notices:[Deprecation 2026-02-01,Link rel=sunset,Warning 299,a message in the body]}",
        "03 07:00:00 RESOLVED warning deprecation on all: 120/120 in 85681 s, 02 06:00:00 to 03 05:48:00, good until 02 05:48:00, good from 03 06:00:00 {notices:[Deprecation 2026-02-01,Link rel=sunset,Warning 299,a message in the body]}",
      ]
    `);
  });
  test("One stray header is nothing", () => {
    expect(play([{ from: 6, to: 6.1, on: "passport-list", is: sunset(summer) }])).toEqual([]);
  });
});

describe("differences from the document", () => {
  const finding = (path: string, kind: Finding["kind"] = "missing"): Finding => ({
    id: `passport ${path} ${kind}`,
    path,
    kind,
    expected: "number",
    observed: "missing",
    count: 9,
    of: 25,
    level: "breaking",
  });
  const on = "passport";
  const shows = (...findings: Finding[]) => ({ findings });
  test("One field, then two, then none", () => {
    const parts: Part[] = [
      { from: 6, to: 9, on, is: shows(finding("score")) },
      { from: 9, to: 12, on, is: shows(finding("score"), finding("passport.name", "retyped")) },
    ];
    expect(play(parts)).toMatchInlineSnapshot(`
      [
        "02 06:17:00 OPENED page breaking-drift on passport: 3/3 in 300 s, 02 06:12:00 to 02 06:17:00, good until 02 05:36:00 {findings:[{id:passport score missing,path:score,kind:missing,expected:number,observed:missing,records:9,ofRecords:25}]}",
        "02 09:17:00 CHANGED page breaking-drift on passport: 12/12 in 11100 s, 02 06:12:00 to 02 09:17:00, good until 02 05:36:00 {findings:[{id:passport passport.name retyped,path:passport.name,kind:retyped,expected:number,observed:missing,records:9,ofRecords:25},{id:passport score missing,path:score,kind:missing,expected:number,observed:missing,records:9,ofRecords:25}]}",
        "02 12:17:00 RESOLVED page breaking-drift on passport: 18/18 in 19440 s, 02 06:12:00 to 02 11:36:00, good until 02 05:36:00, good from 02 12:12:00 {findings:[{id:passport passport.name retyped,path:passport.name,kind:retyped,expected:number,observed:missing,records:9,ofRecords:25},{id:passport score missing,path:score,kind:missing,expected:number,observed:missing,records:9,ofRecords:25}]}",
      ]
    `);
  });
  test("One check in three", () => {
    const is = ({ sample }: Request) => (sample === "00000000b2" ? shows(finding("score")) : {});
    expect(play([{ from: 12, to: 30, on, is }], { days: 4 })).toMatchInlineSnapshot(`
      [
        "02 17:00:00 OPENED warning partial-drift on passport: 3/30 in 61200 s, 02 13:24:00 to 02 17:00:00, good until none {responses:{differences from the document:3},findings:[{id:passport score missing,path:score,kind:missing,expected:number,observed:missing,records:9,ofRecords:25}]}",
        "03 15:48:00 RESOLVED warning partial-drift on passport: 3/30 in 61200 s, 02 13:24:00 to 03 05:36:00, good until none {responses:{differences from the document:3},findings:[{id:passport score missing,path:score,kind:missing,expected:number,observed:missing,records:9,ofRecords:25}]}",
      ]
    `);
  });
  test("What was different from the first check on is nothing", () => {
    expect(play([{ on, is: shows(finding("score")) }])).toEqual([]);
  });
  test("A muted field is nothing, a second one is told without it", () => {
    const mute: Decision = {
      schema: "v1watch/decision/1",
      kind: "mute",
      subject: finding("score").id,
      reason: "known",
      at: hoursAfter(0),
      until: hoursAfter(99),
    };
    const parts: Part[] = [
      { from: 6, to: 9, on, is: shows(finding("score")) },
      { from: 9, to: 12, on, is: shows(finding("score"), finding("name")) },
    ];
    expect(play(parts, { settings: { decisions: [mute] } })).toMatchInlineSnapshot(`
      [
        "02 09:17:00 OPENED page breaking-drift on passport: 3/3 in 300 s, 02 09:12:00 to 02 09:17:00, good until 02 08:36:00 {findings:[{id:passport name missing,path:name,kind:missing,expected:number,observed:missing,records:9,ofRecords:25}]}",
        "02 12:17:00 RESOLVED page breaking-drift on passport: 9/9 in 8640 s, 02 09:12:00 to 02 11:36:00, good until 02 08:36:00, good from 02 12:12:00 {findings:[{id:passport name missing,path:name,kind:missing,expected:number,observed:missing,records:9,ofRecords:25}]}",
      ]
    `);
  });
  test("An order that is wrong in scheduled checks is confirmed by scheduled checks alone", () => {
    const is = shows({ ...finding("(body)", "order"), id: "passport-list (body) order" });
    expect(play([{ from: 6, to: 10, on: "passport-list", is }])).toMatchInlineSnapshot(`
      [
        "02 07:12:00 OPENED page breaking-drift on passport-list: 3/3 in 4320 s, 02 06:00:00 to 02 07:12:00, good until 02 05:24:00 {findings:[{id:passport-list (body) order,path:(body),kind:order,expected:number,observed:missing,records:9,ofRecords:25}]}",
        "02 10:17:00 RESOLVED page breaking-drift on passport-list: 7/7 in 12960 s, 02 06:00:00 to 02 09:36:00, good until 02 05:24:00, good from 02 10:12:00 {findings:[{id:passport-list (body) order,path:(body),kind:order,expected:number,observed:missing,records:9,ofRecords:25}]}",
      ]
    `);
  });
  test("A response that was cut, or lacks the object, does not end it", () => {
    const nulls = gapOf("nulls")!;
    const evidence = (subject: string): Observation["evidence"] => [
      { gap: nulls, subject, of: 25, answers: {} },
    ];
    const parts: Part[] = [
      { from: 6, to: 8, on, is: { ...shows(finding("passport.score")), evidence: evidence("passport") } },
      { from: 8, to: 10, on, is: { findingsOmitted: 3, evidence: evidence("passport") } },
      { from: 10, to: 12, on, is: { evidence: evidence("other") } },
      { on, is: { evidence: evidence("passport") } },
    ];
    expect(play(parts)).toMatchInlineSnapshot(`
      [
        "02 06:17:00 OPENED page breaking-drift on passport: 3/3 in 300 s, 02 06:12:00 to 02 06:17:00, good until 02 05:36:00 {findings:[{id:passport passport.score missing,path:passport.score,kind:missing,expected:number,observed:missing,records:9,ofRecords:25}]}",
        "02 12:48:00 RESOLVED page breaking-drift on passport: 7/7 in 4320 s, 02 06:12:00 to 02 07:24:00, good until 02 05:36:00, good from 02 12:12:00 {findings:[{id:passport passport.score missing,path:passport.score,kind:missing,expected:number,observed:missing,records:9,ofRecords:25}]}",
      ]
    `);
  });
});

describe("V1's data", () => {
  const on = "passport-list";
  const calm = "3h";
  const playData = (parts: Part[], options: Partial<WatchOptions>) =>
    play(parts, { ...options, alter: addEmpty });
  /** The newest record is dated so. */
  const newest = (atMs: number, newestMs: number): NonNullable<Outcome> => ({
    staleness: { ages: { newest: (atMs - newestMs) / 1_000, p50: 86_400, p95: 864_000, oldest: 2_000_000 } },
  });
  /** Records are added every six hours until an hour, and again after another one. */
  const listOf =
    (still: number, again: number) =>
    ({ atMs }: Request) => {
      const hour = (atMs - startMs) / hourMs;
      const shown = hour < still || hour >= again ? Math.floor(hour / 6) * 6 : Math.floor(still / 6) * 6;
      return newest(atMs, startMs + shown * hourMs);
    };
  const records = (dateOf: (index: number) => string, valuesOf: (index: number) => number, count = 20) => ({
    records: Array.from({ length: count }, (_, index) => ({
      id: index.toString(16).padStart(10, "0"),
      at: dateOf(index),
      values: valuesOf(index).toString(16).padStart(10, "0"),
    })),
  });

  test("The newest date stands still in the first week, and later after a usual gap of a weekend", () => {
    expect(playData([{ on, is: listOf(48, 150) }], { days: 9, calm })).toMatchInlineSnapshot(`
      [
        "07 09:00:00 OPENED warning frozen on passport-list: 28/28 in 291600 s, 04 00:00:00 to 07 09:00:00, good until 03 21:00:00 {newestDate:2026-03-04T00:00:00,standsStillSeconds:291600,limitSeconds:259200,longestGapSeconds:21600}",
        "08 06:00:00 RESOLVED warning frozen on passport-list: 34/34 in 356400 s, 04 00:00:00 to 08 03:00:00, good until 03 21:00:00, good from 08 06:00:00 {newestDate:2026-03-04T00:00:00,standsStillSeconds:356400,limitSeconds:259200,longestGapSeconds:21600}",
      ]
    `);
    const weekly = ({ atMs }: Request) => {
      const day = Math.floor((atMs - startMs) / dayMs);
      const shown = day >= 21 ? 20 : day % 7 < 5 ? day : day - (day % 7) + 4;
      return newest(atMs, startMs + shown * dayMs);
    };
    expect(playData([{ on, is: weekly }], { days: 27, calm })).toMatchInlineSnapshot(`
      [
        "27 21:00:00 OPENED warning frozen on passport-list: 40/40 in 421200 s, 23 00:00:00 to 27 21:00:00, good until 22 21:00:00 {newestDate:2026-03-22T00:00:00,standsStillSeconds:421200,limitSeconds:388800,longestGapSeconds:259200}",
      ]
    `);
  });
  test("The team's own limit is the law", () => {
    const settings = { frozenAfterMs: 20 * hourMs };
    expect(playData([{ on, is: listOf(48, 90) }], { days: 5, calm, settings })).toMatchInlineSnapshot(`
      [
        "05 03:00:00 OPENED warning frozen on passport-list: 10/10 in 97200 s, 04 00:00:00 to 05 03:00:00, good until 03 21:00:00 {newestDate:2026-03-04T00:00:00,standsStillSeconds:97200,limitSeconds:72000,longestGapSeconds:21600}",
        "05 18:00:00 RESOLVED warning frozen on passport-list: 14/14 in 140400 s, 04 00:00:00 to 05 15:00:00, good until 03 21:00:00, good from 05 18:00:00 {newestDate:2026-03-04T00:00:00,standsStillSeconds:140400,limitSeconds:72000,longestGapSeconds:21600}",
      ]
    `);
  });
  test("The newest date jumps back by two days", () => {
    const is = ({ atMs }: Request) => newest(atMs, atMs - (atMs - startMs > 96 * hourMs ? 50 : 2) * hourMs);
    expect(playData([{ on, is }], { days: 7, calm })).toMatchInlineSnapshot(`
      [
        "06 09:00:00 OPENED warning date-jumped-back on passport-list: 3/3 in 21600 s, 06 03:00:00 to 06 09:00:00, good until 06 00:00:00 {previousNewestDate:2026-03-05T22:00:00,newestDate:2026-03-04T07:00:00}",
        "07 03:00:00 RESOLVED warning date-jumped-back on passport-list: 7/7 in 64800 s, 06 03:00:00 to 06 21:00:00, good until 06 00:00:00, good from 07 00:00:00 {previousNewestDate:2026-03-05T22:00:00,newestDate:2026-03-04T19:00:00}",
      ]
    `);
  });
  test("Half of the records stand still for a week", () => {
    const still =
      (count: number) =>
      ({ atMs }: Request) =>
        records(
          (index) =>
            new Date(index < count && atMs - startMs > 2 * dayMs ? startMs + 2 * dayMs : atMs).toISOString(),
          (index) => Math.floor(atMs / hourMs) + index,
        );
    expect(playData([{ on, is: still(9) }], { days: 12, calm: "2h" })).toEqual([]);
    expect(playData([{ on, is: still(12) }], { days: 12, calm: "2h" })).toMatchInlineSnapshot(`
      [
        "12 14:00:00 OPENED warning partly-frozen on passport-list: 20/20 in 136800 s, 11 00:00:00 to 12 14:00:00, good until none {stillRecords:12,records:20,stillSince:2026-03-05T00:00:00}",
      ]
    `);
  });
  test("Dates move and values do not", () => {
    const is = ({ atMs }: Request) =>
      records(
        () => new Date(atMs).toISOString(),
        (index) => (index < 10 && atMs - startMs < 3 * dayMs ? Math.floor(atMs / hourMs) : 1),
      );
    expect(playData([{ from: 0, to: 7 * 24, on, is }], { days: 8, calm })).toMatchInlineSnapshot(`
      [
        "06 03:00:00 OPENED warning dates-without-values on passport-list: 9/9 in 97200 s, 05 00:00:00 to 06 03:00:00, good until 04 21:00:00 {movedRecords:180,changedRecords:0}",
      ]
    `);
  });
  test("Dates are always now", () => {
    const ages = { newest: 1, p50: 30, p95: 60, oldest: 90 };
    expect(
      playData([{ from: 24, to: 96, on, is: { staleness: { ages } } }], { days: 6, calm }),
    ).toMatchInlineSnapshot(`
      [
        "04 03:00:00 OPENED warning dates-always-now on passport-list: 10/10 in 97200 s, 03 00:00:00 to 04 03:00:00, good until 02 21:00:00 {records:25,limitSeconds:120}",
        "06 03:00:00 RESOLVED warning dates-always-now on passport-list: 24/24 in 248400 s, 03 00:00:00 to 05 21:00:00, good until 02 21:00:00, good from 06 00:00:00 {records:25,limitSeconds:120}",
      ]
    `);
  });
  test("Dates in the future are a line of the digest", () => {
    const is = { staleness: { future: 2 } };
    const seen: string[] = [];
    const { events, state } = watch(script({ from: 24, to: 48, on, is }), {
      days: 3,
      calm,
      onTick: ({ incidents }) => seen.push(...incidents.map(({ rule }) => rule)),
    });
    expect(seen).toEqual([]);
    expect(transcriptOf({ events })).toEqual([]);
    expect(state.notes.map(({ rule, endpoints }) => ({ rule, endpoints }))).toEqual([
      { rule: "future-dates", endpoints: [on] },
    ]);
    expect(state.open).toEqual([]);
    expect(state.resolved).toMatchObject([{ rule: "future-dates", severity: "info", facts: { records: 2 } }]);
  });
  test("All scores are equal", () => {
    const equal = (same: number) => ({ equalScores: { same, of: 20 } });
    const parts: Part[] = [
      { from: 24, to: 48, on, is: equal(18) },
      { on, is: equal(17) },
    ];
    expect(playData(parts, { days: 3, calm })).toMatchInlineSnapshot(`
      [
        "03 06:00:00 OPENED warning equal-scores on passport-list: 3/3 in 21600 s, 03 00:00:00 to 03 06:00:00, good until 02 21:00:00 {equalRecords:18,records:20}",
        "04 03:00:00 RESOLVED warning equal-scores on passport-list: 8/8 in 75600 s, 03 00:00:00 to 03 21:00:00, good until 02 21:00:00, good from 04 00:00:00 {equalRecords:18,records:20}",
      ]
    `);
    expect(playData([{ on, is: equal(20) }], { days: 3, calm })).toEqual([]);
  });
  test("Scores jump up, and down", () => {
    const score = (medianScore: number) => ({ medianScore });
    const parts: Part[] = [
      { from: 48, to: 72, on, is: score(310) },
      { from: 72, to: 96, on, is: score(300) },
      { from: 96, to: 120, on, is: score(33) },
      { on, is: score(100) },
    ];
    expect(playData(parts, { days: 6, calm })).toMatchInlineSnapshot(`
      [
        "04 06:00:00 OPENED warning scores-jumped on passport-list: 3/3 in 21600 s, 04 00:00:00 to 04 06:00:00, good until 03 21:00:00 {medianScore:310,medianScoreBefore:100}",
        "05 03:00:00 RESOLVED warning scores-jumped on passport-list: 8/8 in 75600 s, 04 00:00:00 to 04 21:00:00, good until 03 21:00:00, good from 05 00:00:00 {medianScore:310,medianScoreBefore:100}",
        "06 06:00:00 OPENED warning scores-jumped on passport-list: 3/3 in 21600 s, 06 00:00:00 to 06 06:00:00, good until 05 21:00:00 {medianScore:33,medianScoreBefore:300}",
        "07 03:00:00 RESOLVED warning scores-jumped on passport-list: 8/8 in 75600 s, 06 00:00:00 to 06 21:00:00, good until 05 21:00:00, good from 07 00:00:00 {medianScore:33,medianScoreBefore:300}",
      ]
    `);
  });
  test("A fifth of the records is gone, and comes back in part", () => {
    const total = (count: number) => ({ staleness: { total: count } });
    const parts: Part[] = [
      { from: 48, to: 72, on, is: total(799) },
      { from: 72, to: 96, on, is: total(845) },
      { from: 96, to: 120, on, is: total(860) },
      { on, is: total(1_000) },
    ];
    expect(playData(parts, { days: 6, calm })).toMatchInlineSnapshot(`
      [
        "04 06:00:00 OPENED warning data-shrinking on passport-list: 3/3 in 21600 s, 04 00:00:00 to 04 06:00:00, good until 03 21:00:00 {records:799,recordsBefore:1000,recordsBeforeAt:2026-03-02T00:00:00}",
        "06 03:00:00 RESOLVED warning data-shrinking on passport-list: 16/16 in 162000 s, 04 00:00:00 to 05 21:00:00, good until 03 21:00:00, good from 06 00:00:00 {records:845,recordsBefore:1000,recordsBeforeAt:2026-03-02T00:00:00}",
      ]
    `);
  });
  test("The same record twice, and on two pages", () => {
    const fixed = () => "2026-02-01T00:00:00Z";
    const rows = records(fixed, (index) => index).records;
    const others = rows.map((row) => ({ ...row, id: row.id.replace("0", "f") }));
    const parts: Part[] = [
      { from: 24, to: 48, variant: "authenticated", on, is: { records: [...rows, rows[0]!] } },
      { from: 120, to: 216, variant: "second-page", on, is: { records: rows } },
      { variant: "second-page", on, is: { records: others } },
      { on, is: { records: rows } },
    ];
    expect(playData(parts, { days: 12, calm })).toMatchInlineSnapshot(`
      [
        "03 06:00:00 OPENED warning duplicate-records on passport-list: 3/3 in 21600 s, 03 00:00:00 to 03 06:00:00, good until 02 21:00:00 {duplicates:1}",
        "04 03:00:00 RESOLVED warning duplicate-records on passport-list: 8/8 in 75600 s, 03 00:00:00 to 03 21:00:00, good until 02 21:00:00, good from 04 00:00:00 {duplicates:1}",
        "08 21:00:03 OPENED warning duplicate-records on passport-list: 2/2 in 86400 s, 07 21:00:03 to 08 21:00:03, good until 06 21:00:03 {duplicates:20,isOnTwoPages:true}",
        "11 09:00:00 OPENED warning partly-frozen on passport-list: 20/20 in 205200 s, 09 00:00:00 to 11 09:00:00, good until none {stillRecords:20,records:20,stillSince:2026-03-04T00:00:00}",
        "12 21:00:03 RESOLVED warning duplicate-records on passport-list: 4/4 in 259200 s, 07 21:00:03 to 10 21:00:03, good until 06 21:00:03, good from 11 21:00:03 {duplicates:20,isOnTwoPages:true}",
      ]
    `);
  });
  test("A field is null in a fifth of the records", () => {
    const nulls = (count: number): NonNullable<Outcome> => ({
      evidence: [{ gap: gapOf("nulls")!, subject: "score", of: 25, answers: { null: count } }],
    });
    const parts: Part[] = [
      { from: 48, to: 72, on, is: nulls(5) },
      { from: 72, to: 96, on, is: nulls(4) },
    ];
    expect(playData(parts, { days: 5, calm })).toMatchInlineSnapshot(`
      [
        "04 06:00:00 OPENED warning null-fields on passport-list: 3/3 in 21600 s, 04 00:00:00 to 04 06:00:00, good until 03 21:00:00 {nullFields:[{path:score,nulls:5,of:25}]}",
        "05 06:00:00 RESOLVED warning null-fields on passport-list: 8/8 in 75600 s, 04 00:00:00 to 04 21:00:00, good until 03 21:00:00, good from 05 00:00:00 {nullFields:[{path:score,nulls:5,of:25}]}",
      ]
    `);
  });
  test("A sublist is empty for samples that had some", () => {
    const parts: Part[] = [
      { from: 24, to: 48, on: "passport-credentials", is: { staleness: { records: 0 } } },
    ];
    expect(playData(parts, { days: 3, calm })).toMatchInlineSnapshot(`
      [
        "03 08:00:00 OPENED warning sublist-empty on passport-credentials: 3/3 in 21600 s, 03 02:00:00 to 03 08:00:00, good until 02 23:00:00 {samples:3}",
        "04 05:00:00 RESOLVED warning sublist-empty on passport-credentials: 8/8 in 75600 s, 03 02:00:00 to 03 23:00:00, good until 02 23:00:00, good from 04 02:00:00 {samples:3}",
      ]
    `);
  });
  test("Another record than the one that was asked for", () => {
    const parts: Part[] = [
      { from: 24, to: 48, on: "passport", is: { isOtherRecord: true } },
      { on: "passport", is: { isOtherRecord: false } },
    ];
    expect(playData(parts, { days: 5, calm })).toMatchInlineSnapshot(`
      [
        "03 07:00:00 OPENED page wrong-record on passport: 3/8 in 75600 s, 03 01:00:00 to 03 07:00:00, good until none",
        "04 13:00:00 RESOLVED page wrong-record on passport: 3/8 in 75600 s, 03 01:00:00 to 03 22:00:00, good until none",
      ]
    `);
  });
  test("Slow by its own week, by the limit, and by a little", () => {
    const slow = (totalMs: number) => ({ timings: { totalMs } });
    const parts: Part[] = [
      { from: 24, to: 30, on, is: slow(3_001) },
      { from: 96, to: 120, on, is: slow(1_501) },
      { from: 120, to: 144, on, is: slow(1_201) },
      { from: 168, to: 192, on: "passport", is: slow(499) },
      { on: "passport", is: slow(20) },
    ];
    expect(playData(parts, { days: 9, calm })).toMatchInlineSnapshot(`
      [
        "06 06:00:00 OPENED warning slow on passport-list: 3/3 in 21600 s, 06 00:00:00 to 06 06:00:00, good until none {latencyMs:1501,usualLatencyMs:150}",
        "08 03:00:00 RESOLVED warning slow on passport-list: 16/16 in 162000 s, 06 00:00:00 to 07 21:00:00, good until none {latencyMs:1201,usualLatencyMs:150}",
      ]
    `);
  });
});

describe("requests that are rare", () => {
  test("A variant changes its response", () => {
    const parts: Part[] = [
      { from: 120, to: 240, variant: "unknown-id", is: {} },
      { variant: "unknown-id", is: status(404) },
    ];
    expect(play(parts, { days: 14, calm: "3h" })).toMatchInlineSnapshot(`
      [
        "07 16:05:00 OPENED warning variant-changed on passport: 3/3 in 297 s, 07 16:00:03 to 07 16:05:00, good until 06 16:00:03 {variant:unknown-id,responses:{ok:3},lastResponse:ok}",
        "12 16:01:00 RESOLVED warning variant-changed on passport: 7/7 in 345600 s, 07 16:00:03 to 11 16:00:03, good until 06 16:00:03, good from 12 16:00:03 {variant:unknown-id,responses:{ok:7},lastResponse:ok}",
      ]
    `);
  });
  test("Requests without the key are refused where they were served", () => {
    const parts: Part[] = [{ from: 60, to: 120, variant: "anonymous", is: status(401) }];
    expect(play(parts, { days: 8, calm: "3h" })).toMatchInlineSnapshot(`
      [
        "05 00:05:01 OPENED warning anonymous-refused on all: 7/7 in 298 s, 05 00:00:03 to 05 00:05:01, good until 04 08:00:03",
        "07 00:05:01 RESOLVED warning anonymous-refused on all: 10/10 in 115201 s, 05 00:00:03 to 06 08:00:03, good until 04 08:00:03, good from 07 00:00:03",
      ]
    `);
  });
});

describe("the watch itself", () => {
  test("The certificate expires", () => {
    const tls = (hours: number) => ({ tls: { expiresAt: hoursAfter(hours) } });
    const parts: Part[] = [{ to: 20 * 24, is: tls(21 * 24) }, { is: tls(200 * 24) }];
    expect(play(parts, { days: 22, calm: "6h" })).toMatchInlineSnapshot(`
      [
        "09 04:00:00 OPENED warning certificate on all: 3/3 in 14401 s, 09 00:00:00 to 09 04:00:00, good until none {expiresAt:2026-03-23T00:00:00,daysLeft:13}",
        "19 14:00:00 CHANGED page certificate on all: 128/128 in 914400 s, 09 00:00:00 to 19 14:00:00, good until none {expiresAt:2026-03-23T00:00:00,daysLeft:3}",
        "20 09:00:00 REMINDER page certificate on all: 137/137 in 979200 s, 09 00:00:00 to 20 08:00:00, good until none {expiresAt:2026-03-23T00:00:00,daysLeft:2}",
        "21 09:00:00 REMINDER page certificate on all: 149/149 in 1065600 s, 09 00:00:00 to 21 08:00:00, good until none {expiresAt:2026-03-23T00:00:00,daysLeft:1}",
        "22 04:00:00 RESOLVED page certificate on all: 156/156 in 1116001 s, 09 00:00:00 to 21 22:00:00, good until none {expiresAt:2026-03-23T00:00:00,daysLeft:1}",
      ]
    `);
  });
  test("There is no key to send", () => {
    expect(play([{ from: 6, to: 8, is: { outcome: { kind: "no-secret" } } }])).toMatchInlineSnapshot(`
      [
        "02 06:24:00 OPENED page no-secret on all: 3/3 in 1441 s, 02 06:00:00 to 02 06:24:00, good until 02 05:48:00 {notSent:no-key,responses:{no key:3}}",
        "02 08:24:00 RESOLVED page no-secret on all: 10/10 in 6480 s, 02 06:00:00 to 02 07:48:00, good until 02 05:48:00, good from 02 08:00:00 {notSent:no-key,responses:{no key:10}}",
      ]
    `);
  });
  test("The monitor was off", () => {
    const gaps = [{ fromMs: startMs + 6 * hourMs, untilMs: startMs + 11 * hourMs }];
    expect(play([], { gaps })).toMatchInlineSnapshot(`
      [
        "02 08:00:00 OPENED page silent on all: 3/3 in 1441 s, 02 05:24:00 to 02 05:48:00, good until 02 05:12:00 {limitSeconds:6480}",
        "02 11:00:00 RESOLVED page silent on all: 3/3 in 1441 s, 02 05:24:00 to 02 05:48:00, good until 02 05:12:00, good from 02 11:00:00 {limitSeconds:6480}",
      ]
    `);
  });
});

describe("silence", () => {
  const outage: Part = { from: 6, to: 40, is: status(503) };
  const window = (from: number, to: number) => [{ start: hoursAfter(from), end: hoursAfter(to) }];
  test("A maintenance window delays what begins in it", () => {
    expect(play([outage], { days: 2, settings: { maintenance: window(5, 8) } })).toMatchInlineSnapshot(`
      [
        "02 08:00:00 OPENED page down on all: 16/16 in 6480 s, 02 06:00:00 to 02 07:48:00, good until 02 05:48:00 {responses:{503:16},lastResponse:503}",
        "03 09:00:00 REMINDER page down on all: 142/142 in 97200 s, 02 06:00:00 to 03 09:00:00, good until 02 05:48:00 {responses:{503:142},lastResponse:503}",
        "03 16:05:00 RESOLVED page down on all: 176/176 in 121680 s, 02 06:00:00 to 03 15:48:00, good until 02 05:48:00, good from 03 16:00:00 {responses:{503:176},lastResponse:503}",
      ]
    `);
    expect(play([{ ...outage, to: 7.5 }], { settings: { maintenance: window(5, 8) } })).toEqual([]);
  });
  test("A change inside a window is told after it", () => {
    const parts: Part[] = [
      { ...outage, to: 10 },
      { from: 10, to: 20, is: status(410) },
    ];
    expect(play(parts, { settings: { maintenance: window(9, 14) } })).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page down on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{503:7},lastResponse:503}",
        "02 14:00:00 CHANGED page gone on all: 26/26 in 13679 s, 02 10:00:00 to 02 13:48:00, good until 02 05:48:00 {responses:{410:26},lastResponse:410,samples:3,causes:[{rule:down,from:2026-03-02T06:00:00},{rule:gone,from:2026-03-02T10:00:00}]}",
        "02 20:05:00 RESOLVED page gone on all: 82/82 in 49680 s, 02 06:00:00 to 02 19:48:00, good until 02 05:48:00, good from 02 20:00:00 {responses:{410:56,503:26},lastResponse:410,samples:3,isMixed:true,causes:[{rule:down,from:2026-03-02T06:00:00},{rule:gone,from:2026-03-02T10:00:00}]}",
      ]
    `);
  });
  test("An acknowledged page is not reminded of", () => {
    const decide: WatchOptions["decide"] = ({ id, at }) => ({
      schema: "v1watch/decision/1",
      kind: "ack",
      subject: id.split("/")[0]!,
      reason: "on it",
      at,
    });
    expect(play([outage], { days: 2, decide })).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page down on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{503:7},lastResponse:503}",
        "03 16:05:00 RESOLVED page down on all: 176/176 in 121680 s, 02 06:00:00 to 03 15:48:00, good until 02 05:48:00, good from 03 16:00:00 {responses:{503:176},lastResponse:503}",
      ]
    `);
    expect(
      play([outage], { days: 2, settings: { hour: 15, timeZone: "Europe/Berlin" } }),
    ).toMatchInlineSnapshot(`
      [
        "02 06:05:00 OPENED page down on all: 7/7 in 301 s, 02 06:00:00 to 02 06:05:00, good until 02 05:48:00 {responses:{503:7},lastResponse:503}",
        "02 14:00:00 REMINDER page down on all: 46/46 in 28080 s, 02 06:00:00 to 02 13:48:00, good until 02 05:48:00 {responses:{503:46},lastResponse:503}",
        "03 14:00:00 REMINDER page down on all: 166/166 in 114480 s, 02 06:00:00 to 03 13:48:00, good until 02 05:48:00 {responses:{503:166},lastResponse:503}",
        "03 16:05:00 RESOLVED page down on all: 176/176 in 121680 s, 02 06:00:00 to 03 15:48:00, good until 02 05:48:00, good from 03 16:00:00 {responses:{503:176},lastResponse:503}",
      ]
    `);
  });
});

describe("at the limits", () => {
  test("Every second check fails, and then all of them: bad checks in a row by chance are no outage", () => {
    const parts: Part[] = [
      { from: 60, to: 70, is: status(503) },
      { from: 10, is: ({ random }) => (random < 0.5 ? status(503) : {}) },
    ];
    expect(play(parts, { days: 3 }).map((line) => line.slice(0, 80))).toMatchInlineSnapshot(`
      [
        "02 10:12:00 OPENED page error-rate on all: 6/14 in 719 s, 02 10:00:00 to 02 10:1",
        "03 09:00:00 REMINDER page error-rate on all: 59/120 in 85680 s, 02 10:00:00 to 0",
        "04 09:00:00 REMINDER page error-rate on all: 63/120 in 85680 s, 03 09:24:00 to 0",
        "04 13:04:00 OPENED page down on all: 14/14 in 4980 s, 04 11:41:00 to 04 13:04:00",
      ]
    `);
  });
  const brief = (lines: string[]) => lines.map((line) => line.replace(/ in \d+ s, .*? to /, ", to "));
  const on = "passport-list";
  const calm = "3h";

  test("What is usual is learned once a day, from values of another day, and not from what is told", () => {
    const is = (medianScore: number, total: number, nulls: number): NonNullable<Outcome> => ({
      medianScore,
      staleness: { total },
      evidence: [{ gap: gapOf("nulls")!, subject: "score", of: 25, answers: { null: nulls } }],
    });
    const parts: Part[] = [
      // Above three times the score of the day, and not three times the one before; records of less than 20 h ago.
      { from: 12, to: 15, on, is: is(150, 790, 5) },
      { from: 15, to: 30, on, is: is(301, 790, 5) },
      // Nulls that were there before are no news.
      { from: 30, to: 60, on, is: is(100, 1_000, 1) },
      { from: 60, to: 72, on, is: is(100, 1_000, 20) },
      // Ten times slower than what was measured on one day.
      { from: 24, to: 48, on: "passport", is: { timings: { totalMs: 1_600 } } },
      { on, is: is(100, 1_000, 0) },
    ];
    expect(brief(play(parts, { days: 4, calm }))).toMatchInlineSnapshot(`
      [
        "02 18:00:00 OPENED warning null-fields on passport-list: 3/3, to 02 18:00:00, good until 02 09:00:00 {nullFields:[{path:score,nulls:5,of:25}]}",
        "02 21:00:00 OPENED warning scores-jumped on passport-list: 3/3, to 02 21:00:00, good until 02 12:00:00 {medianScore:301,medianScoreBefore:100}",
        "03 03:00:00 OPENED warning data-shrinking on passport-list: 3/3, to 03 03:00:00, good until none {records:790,recordsBefore:1000,recordsBeforeAt:2026-03-02T00:00:00}",
        "03 09:00:00 RESOLVED warning scores-jumped on passport-list: 5/5, to 03 03:00:00, good until 02 12:00:00, good from 03 06:00:00 {medianScore:301,medianScoreBefore:100}",
        "03 09:00:00 RESOLVED warning data-shrinking on passport-list: 3/3, to 03 03:00:00, good until none, good from 03 06:00:00 {records:790,recordsBefore:1000,recordsBeforeAt:2026-03-02T00:00:00}",
        "03 12:00:00 RESOLVED warning null-fields on passport-list: 6/6, to 03 03:00:00, good until 02 09:00:00, good from 03 06:00:00 {nullFields:[{path:score,nulls:5,of:25}]}",
      ]
    `);
  });

  test("A field that is missing in a third of the checks, then in all", () => {
    const findings: Finding[] = [
      {
        id: "passport score missing",
        path: "score",
        kind: "missing",
        expected: "number",
        observed: "missing",
        count: 9,
        of: 25,
        level: "breaking",
      },
    ];
    const parts: Part[] = [
      { from: 30, on: "passport", is: { findings } },
      {
        from: 6,
        on: "passport",
        is: ({ sample }) => (sample === "00000000b2" ? { findings } : {}),
      },
    ];
    expect(brief(play(parts, { days: 2 })).map((line) => line.slice(0, 90))).toMatchInlineSnapshot(`
      [
        "02 09:48:00 OPENED warning partial-drift on passport: 3/18, to 02 09:48:00, good until non",
        "03 08:36:00 OPENED page breaking-drift on passport: 8/8, to 03 08:36:00, good until 03 05:",
      ]
    `);
  });

  test("Each rare request has a response that is usual", () => {
    const parts: Part[] = [
      { from: 120, variant: "by-other-id", is: status(410) },
      { from: 144, variant: "second-page", is: status(400) },
      { from: 168, variant: "keyword", is: status(404) },
    ];
    expect(brief(play(parts, { days: 10, calm: "6h" }))).toMatchInlineSnapshot(`
      [
        "07 16:00:03 OPENED warning variant-changed on passport: 3/3, to 07 14:05:00, good until 06 14:00:03 {variant:by-other-id,responses:{410:3},lastResponse:410}",
        "07 16:01:01 CHANGED warning variant-changed on passport+passport-credentials: 5/5, to 07 16:01:01, good until 06 16:00:03 {variant:by-other-id,responses:{410:5},lastResponse:410}",
        "08 00:05:00 OPENED warning variant-changed on passport-list: 3/3, to 08 00:05:00, good until 06 00:00:03 {variant:second-page,responses:{400:3},lastResponse:400}",
        "09 18:05:00 OPENED warning variant-changed on passport-list: 3/3, to 09 18:05:00, good until 08 18:00:03 {variant:keyword,responses:{404:3},lastResponse:404}",
      ]
    `);
  });

  test("Notices that differ from endpoint to endpoint, and one that is back within a day of its end", () => {
    const deprecation = { form: "draft-true" as const };
    const parts: Part[] = [
      { from: 6, to: 12, on, is: { notices: { warning: 299 } } },
      { from: 6, to: 12, is: { notices: { deprecation } } },
      { from: 30, to: 36, on, is: { notices: { warning: 299 } } },
      { from: 30, to: 36, is: { notices: { deprecation } } },
    ];
    expect(brief(play(parts, { days: 4 }))).toMatchInlineSnapshot(`
      [
        "02 06:36:00 OPENED warning deprecation on all: 4/4, to 02 06:36:00, good until 02 05:48:00 {notices:[Deprecation,Warning 299],noticesOf:{passport-list:[Warning 299],passport:[Deprecation],passport-credentials:[Deprecation]}}",
        "02 13:00:00 RESOLVED warning deprecation on all: 30/30, to 02 11:48:00, good until 02 05:48:00, good from 02 12:00:00 {notices:[Deprecation,Warning 299],noticesOf:{passport-list:[Warning 299],passport:[Deprecation],passport-credentials:[Deprecation]}}",
        "03 06:36:00 OPENED warning deprecation on all: 34/124, to 03 06:36:00, good until 02 05:48:00 {notices:[Deprecation,Warning 299],noticesOf:{passport-list:[Warning 299],passport:[Deprecation],passport-credentials:[Deprecation]},comesAndGoes:true}",
        "04 12:24:00 RESOLVED warning deprecation on all: 60/150, to 03 11:48:00, good until 02 05:48:00, good from 03 12:00:00 {notices:[Deprecation,Warning 299],noticesOf:{passport-list:[Warning 299],passport:[Deprecation],passport-credentials:[Deprecation]},comesAndGoes:true}",
      ]
    `);
  });

  test("Every minute, what came and went ends with the first good check after it", () => {
    const parts: Part[] = [{ from: 1, to: 1.2, every: 0.5, is: status(503) }];
    const whole = script(...parts);
    const service: Service = (request) => (request.atMs < startMs + 2.4 * hourMs ? whole(request) : {});
    expect(brief(transcriptOf(watch(service, { days: 5 / 24, calm: "1m" })))).toMatchInlineSnapshot(`
      [
        "02 01:05:00 OPENED page down on all: 20/20, to 02 01:05:00, good until 02 00:59:40 {responses:{503:20},lastResponse:503}",
        "02 01:16:00 RESOLVED page down on all: 40/40, to 02 01:11:40, good until 02 00:59:40, good from 02 01:12:00 {responses:{503:40},lastResponse:503}",
        "02 01:35:00 OPENED page down on all: 20/20, to 02 01:35:00, good until 02 01:29:40 {responses:{503:20},lastResponse:503,comesAndGoes:true}",
        "02 04:12:40 RESOLVED page down on all: 80/138, to 02 02:11:40, good until 02 01:29:40, good from 02 02:12:00 {responses:{503:80},lastResponse:503,comesAndGoes:true}",
      ]
    `);
  });
});

describe("one message for one thing", () => {
  const certificateOf = (expiresAt: string, atMs: number): Outcome => ({
    tls: { expiresAt },
    outcome:
      Date.parse(expiresAt) <= atMs
        ? { kind: "network", detail: "tls-expired" }
        : { kind: "ok", status: 200 },
  });

  test("A certificate that had expired before the first check is one page, in the past tense", () => {
    const { alerts } = watch(({ atMs }) => certificateOf("2026-02-12T00:00:00.000Z", atMs), { days: 1 });
    const sent = alerts.filter(({ event }) => event === "opened");
    expect(sent.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(["page down"]);
    expect(sent[0]?.subject).toContain("certificate expired");
    expect(sent[0]?.sections[0]?.lines.join(" ")).toMatch(
      /expired on 2026-02-12 00:00 UTC, 18 d .*before the last check/,
    );
  });

  test("A certificate that expires while it is watched is told before, and as a failure once it has", () => {
    const { alerts } = watch(({ atMs }) => certificateOf("2026-03-04T12:00:00.000Z", atMs), { days: 4 });
    const opened = alerts.filter(({ event }) => event === "opened");
    expect(opened.map(({ rule }) => rule)).toEqual(["certificate", "down"]);
    const last = alerts.findLast(({ rule }) => rule === "certificate");
    expect(last?.subject).toContain("V1's certificate expired on 2026-03-04");
    expect(JSON.stringify(last)).not.toMatch(/-\d+ days? left|Be ready/);
  });
});
