import { afterEach, describe, expect, test } from "vitest";
import { readNotices } from "../../../lib/probe/validate/notices.ts";
import { linkRelations, notices } from "../../../lib/records/observation.ts";
import { fc } from "../../random.ts";

const requestUrl = new URL("https://api.example.com/api/v1/passports");
const nowMs = Date.parse("2026-11-15T12:00:30.500Z");
const read = (headers: Record<string, string>, status = 200, documentedPath = true) =>
  readNotices({ status, headers, requestUrl, documentedPath, nowMs });

describe("readNotices of Sunset and Deprecation", () => {
  test("readNotices stores a Sunset date as an instant, in whatever form, and the earliest of several", () => {
    expect(read({ sunset: "Thu, 31 Dec 2026 23:59:59 GMT" })).toEqual({ sunset: "2026-12-31T23:59:59.000Z" });
    expect(read({ sunset: "2026-12-31T10:00:00+02:00, Mon, 30 Nov 2026 00:00:00 GMT" })).toEqual({
      sunset: "2026-11-30T00:00:00.000Z",
    });
  });

  test.each([
    ...[
      "soon",
      "",
      "2026-02-30",
      "Thu, 31 Dec 2026 23:59:59 CET",
      "31.12.2026",
      "end of Q4 2026",
      "2026-12-31 TBD",
    ].map((text) => [text, text]),
    ["x".repeat(20_000), "[...]"],
    ["Ada Lovelace, 31 Dec 2026", "[...], 31 Dec 2026"],
    ["2026 0x52908400098527886E0F7030069857D2E4169EE7", "2026 [...]"],
    ["key 5e1f9a7c3b2d4860", "[...]"],
    ["see https://example.org/ada <b>soon</b>", "[...]"],
    ["\u202esoon\u0007 2026\u00a0Dec", "[...] 2026[...]Dec"],
  ])(
    "Of a Sunset that cannot be read, readNotices keeps the words and numbers of dates (%#)",
    (sunset, sunsetText) => {
      expect(read({ sunset: sunset ?? "" })).toEqual({ sunsetText });
    },
  );

  test.each([
    ["@1688169599", { form: "rfc9745", at: "2023-06-30T23:59:59.000Z" }],
    ["@0", { form: "rfc9745", at: "1970-01-01T00:00:00.000Z" }],
    ["@1688169599;why=retired", { form: "rfc9745", at: "2023-06-30T23:59:59.000Z" }],
    ["true", { form: "draft-true" }],
    ["Fri, 30 Jun 2023 23:59:59 GMT", { form: "http-date", at: "2023-06-30T23:59:59.000Z" }],
    ["@1688169599.5", { form: "unreadable" }],
    ["@999999999999999", { form: "unreadable" }],
    ["1688169599", { form: "unreadable" }],
    ["@", { form: "unreadable" }],
    ["false", { form: "unreadable" }],
    ["true, true", { form: "unreadable" }],
    ["", { form: "unreadable" }],
  ])("readNotices reads Deprecation: %s", (deprecation, expected) => {
    expect(read({ deprecation })).toEqual({ deprecation: expected });
  });

  test("readNotices reports a Sunset before the Deprecation as contradictory, and not one in the same second", () => {
    const sunset = "Fri, 30 Jun 2023 23:59:59 GMT";
    expect(read({ sunset, deprecation: "@1688169600" }).contradictory).toBe(true);
    expect(read({ sunset, deprecation: "Sat, 01 Jul 2023 00:00:00 GMT" }).contradictory).toBe(true);
    expect(read({ sunset, deprecation: "@1688169599" }).contradictory).toBeUndefined();
    expect(read({ sunset, deprecation: "true" }).contradictory).toBeUndefined();
    expect(read({ sunset: "soon", deprecation: "@1688169599" }).contradictory).toBeUndefined();
  });
});

describe("readNotices of Link", () => {
  test.each([
    ['<https://example.com/bye>; rel="sunset"', ["sunset"]],
    ["<https://example.com/bye>; rel=sunset", ["sunset"]],
    ["<https://example.com/bye> ; REL = Sunset", ["sunset"]],
    [
      '<a>; rel="deprecation"; type="text/html", </v2>; rel="successor-version"',
      ["deprecation", "successor-version"],
    ],
    ['<a>; rel="next latest-version sunset"', ["sunset", "latest-version"]],
    ['<a>; rel="sunset", <b>; rel="sunset"', ["sunset"]],
    ['<a,b;rel=sunset>; rel="deprecation"', ["deprecation"]],
    ['<a>; title="x, <b>; rel=sunset"; rel="deprecation"', ["deprecation"]],
    ["rel=sunset", undefined],
    ["<a>; rev=sunset", undefined],
    ["<a>; rel=presunset", undefined],
    ["", undefined],
  ])("readNotices reads the Link header %s", (link, links) => {
    expect(read({ link })).toEqual(links ? { links } : {});
  });

  test("readNotices ignores a Link header of more than 8 KB", () => {
    expect(read({ link: `<a>; rel=sunset; title="${"x".repeat(8000)}"` })).toEqual({ links: ["sunset"] });
    expect(read({ link: `<a>; rel=sunset; title="${"x".repeat(9000)}"` })).toEqual({});
  });
});

describe("readNotices of Warning, Retry-After and usage headers", () => {
  test.each([
    ['299 - "Deprecated API"', 299],
    ["299", 299],
    ['199 - "misc, 214 x", 299 api.example.com "gone soon"', 299],
    ['110 - "stale"', 110],
    ['2999 - "x"', undefined],
    ["deprecated", undefined],
  ])("readNotices reads Warning: %s", (text, warning) => {
    expect(read({ warning: text })).toEqual(warning ? { warning } : {});
  });

  const date = "Sun, 15 Nov 2026 12:00:00 GMT";
  test.each([
    ["120", { date }, 120],
    ["0", {}, 0],
    ["Sun, 15 Nov 2026 12:02:00 GMT", { date }, 120],
    ["Sun, 15 Nov 2026 11:00:00 GMT", { date }, 0],
    ["99999999999999999999", {}, 366 * 86_400],
    ["Fri, 31 Dec 9999 23:59:59 GMT", { date }, 366 * 86_400],
    ["Sun, 15 Nov 2026 12:02:00 GMT", { date: "Sun, 15 Nov 2026 11:00:00 GMT", age: "3600" }, 120],
    // Without a readable Date header our own clock counts.
    ["Sun, 15 Nov 2026 12:02:00 GMT", {}, 90],
    ["Sun, 15 Nov 2026 12:02:00 GMT", { date: "noon" }, 90],
    ["Sun, 15 Nov 2026 12:00:00 GMT", {}, 0],
    ["-5", { date }, undefined],
    ["1.5", { date }, undefined],
    ["soon", { date }, undefined],
  ])("readNotices reads Retry-After: %s with %o", (text, more, retryAfterSeconds) => {
    expect(read({ "retry-after": text, ...more }, 503)).toEqual(
      retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    );
  });

  test.each([
    [["5000", "5000", "exhausted"], { current: 5000, limit: 5000, exhausted: true }],
    [["5001", "5000", undefined], { current: 5001, limit: 5000, exhausted: true }],
    [["12", "5000", "ok"], { current: 12, limit: 5000, exhausted: false }],
    [["12", undefined, undefined], { current: 12, exhausted: false }],
    [[undefined, undefined, "quota_exceeded"], { exhausted: true }],
    [["12", "5000", "not exceeded"], { current: 12, limit: 5000, exhausted: false }],
    [["0", "0", undefined], { current: 0, limit: 0, exhausted: false }],
    [["many", "-1", "fine"], undefined],
  ])("readNotices reads the usage headers %j", ([current, limit, status], usage) => {
    const headers = Object.fromEntries(
      Object.entries({
        "x-api-usage-current": current,
        "x-api-usage-limit": limit,
        "x-api-usage-status": status,
      }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    expect(read(headers, 401)).toEqual(usage ? { usage } : {});
  });
});

describe("readNotices of redirects, 404 and 410", () => {
  test.each([
    ["/api/v1/passports/", { origin: "same", leadsTo: "v1" }],
    ["/api/v2/profiles", { origin: "same", leadsTo: "other-version" }],
    ["https://v2.example.com/profile", { origin: "other", leadsTo: "other-version" }],
    ["https://www.example.com/sunset-notice", { origin: "other", leadsTo: "elsewhere" }],
    ["//evil.example/api/v1/passports", { origin: "other", leadsTo: "v1" }],
    ["http://api.example.com/api/v1/passports", { origin: "other", leadsTo: "v1" }],
    ["javascript:alert(1)", { origin: "other", leadsTo: "elsewhere" }],
    ["https://", undefined],
    ["", undefined],
    [`/${"x".repeat(20_000)}`, undefined],
  ])("readNotices classifies a redirect to %s", (location, redirect) => {
    expect(read({ location: location.slice(0, 20_000) }, 302)).toEqual(redirect ? { redirect } : {});
  });

  test("readNotices ignores a Location without a redirect status", () => {
    for (const status of [200, 201, 304, 401]) expect(read({ location: "/api/v2" }, status)).toEqual({});
  });

  test("readNotices reports a documented path as withdrawn for 404 and 410 only", () => {
    expect(read({}, 404)).toEqual({ withdrawn: true });
    expect(read({}, 410)).toEqual({ withdrawn: true });
    expect(read({}, 404, false)).toEqual({});
    for (const status of [200, 301, 401, 403, 500, 503]) expect(read({}, status)).toEqual({});
  });
});

describe("readNotices of hostile headers", () => {
  const names = [
    "sunset",
    "deprecation",
    "link",
    "warning",
    "retry-after",
    "date",
    "age",
    "x-api-usage-current",
    "x-api-usage-limit",
    "x-api-usage-status",
    "location",
    "__proto__",
    "constructor",
  ];
  const fragment = fc.constantFrom(
    ...[
      "<",
      ">",
      '"',
      "\\",
      ";",
      ",",
      "=",
      " ",
      "@",
      "-",
      "rel=",
      'rel="sunset',
      "299 ",
      "true",
      "/api/v2/",
      "//",
    ],
    ...[
      "Sun, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT",
      "Fri, 31 Dec 9999 23:59:60 GMT",
      "1688169599",
      "https://x.example",
      "\0",
      "\u202e",
    ],
  );
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join("")),
  );
  const headers = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value, {
    noNullPrototype: false,
  });
  const status = fc.oneof(fc.constantFrom(200, 301, 302, 308, 401, 404, 410, 429, 503), fc.integer());

  test("readNotices of hostile headers gives a valid record with no text of theirs but an unreadable Sunset, and never throws", () => {
    const ownNames =
      /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|rfc9745|draft-true|http-date|unreadable|same|other|v1|other-version|elsewhere)$/;
    fc.assert(
      fc.property(headers, status, fc.boolean(), (sent, code, documentedPath) => {
        const found = read(sent, code, documentedPath);
        expect(notices.safeParse(found).success).toBe(true);
        JSON.stringify(found, (key, item) => {
          const isOurs =
            (key === "sunsetText" && /^(?:[\d\s,;()"'[\].:/T+Z-]|[A-Za-z]{1,9}|[QH]\d)*$/i.test(item)) ||
            typeof item !== "string" ||
            ownNames.test(item) ||
            linkRelations.some((word) => word === item);
          expect(isOurs, String(item)).toBe(true);
          return item;
        });
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["commas", ","],
    ["semicolons", ";"],
    ["quotes", '"'],
    ["angle brackets", "<"],
    ["spaces", " "],
    ["rels", "<a>;rel="],
    ["backslashes in a quote", '"\\'],
  ])("readNotices reads 8 KB and 1 MB of %s", (_name, unit) => {
    for (const length of [8_000, 1_000_000]) {
      const hostile = unit.repeat(length / unit.length);
      const sent = Object.fromEntries(names.slice(0, 11).map((name) => [name, hostile]));
      expect(notices.safeParse(read(sent, 302)).success).toBe(true);
    }
  });

  describe("in any time zone", () => {
    const zone = process.env.TZ;
    afterEach(() => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    });

    test("readNotices returns the same notices of hostile headers in any time zone", () => {
      const sent = {
        sunset: "Sun Mar 29 02:30:00 2026",
        deprecation: "Sunday, 29-Mar-26 02:30:00 GMT",
        "retry-after": "Sun, 29 Mar 2026 03:00:00 GMT",
        date: "Sun, 29 Mar 2026 00:30:00 GMT",
      };
      const offsets = new Set<number>();
      const results = new Set<string>();
      for (const TZ of ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati", "Asia/Kathmandu"]) {
        process.env.TZ = TZ;
        offsets.add(new Date(0).getTimezoneOffset());
        results.add(JSON.stringify(read(sent, 503)));
      }
      expect(offsets.size).toBe(5);
      expect([...results]).toEqual([
        JSON.stringify({
          sunset: "2026-03-29T02:30:00.000Z",
          deprecation: { form: "http-date", at: "2026-03-29T02:30:00.000Z" },
          retryAfterSeconds: 9000,
        }),
      ]);
    });
  });
});
