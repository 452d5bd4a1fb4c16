// Quota and rate-limit headers, messages about deprecation in a body, and the bounds of the other notices.
import { describe, expect, test } from "vitest";
import { hasDeprecationMessage, readNotices } from "../../../lib/probe/validate/notices.ts";

const requestUrl = new URL("https://api.example.com/api/v1/passports");
const nowMs = Date.parse("2026-11-15T12:00:00Z");
const read = (headers: Record<string, string>, status = 200) =>
  readNotices({ status, headers, requestUrl, documentedPath: true, nowMs });

describe("rate-limit headers", () => {
  test.each<[Record<string, string>, object | undefined]>([
    [
      { "ratelimit-limit": "100", "ratelimit-remaining": "40" },
      { current: 60, limit: 100, exhausted: false },
    ],
    [
      { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "0" },
      { current: 100, limit: 100, exhausted: true },
    ],
    [{ ratelimit: "limit=100, remaining=40, reset=5" }, { current: 60, limit: 100, exhausted: false }],
    [{ ratelimit: "limit=100, remaining=0" }, { current: 100, limit: 100, exhausted: true }],
    // The form without a prefix comes first, then X-, then the structured one.
    [
      { "ratelimit-limit": "10", "x-ratelimit-limit": "20", ratelimit: "limit=30, remaining=5" },
      { current: 5, limit: 10, exhausted: false },
    ],
    [
      { "x-ratelimit-limit": "20", ratelimit: "limit=30" },
      { limit: 20, exhausted: false },
    ],
    [
      { "ratelimit-remaining": "1", "x-ratelimit-remaining": "2", "ratelimit-limit": "10" },
      { current: 9, limit: 10, exhausted: false },
    ],
    // V1's own headers come before all of them.
    [
      { "x-api-usage-limit": "5000", "x-api-usage-current": "7", "ratelimit-limit": "10" },
      { current: 7, limit: 5000, exhausted: false },
    ],
    [{ "ratelimit-remaining": "0" }, { exhausted: true }],
    [{ "ratelimit-remaining": "3" }, undefined],
    // More left than the limit cannot be counted.
    [
      { "ratelimit-limit": "10", "ratelimit-remaining": "11" },
      { limit: 10, exhausted: false },
    ],
    [
      { "ratelimit-limit": "10", "ratelimit-remaining": "10" },
      { current: 0, limit: 10, exhausted: false },
    ],
    [{ ratelimit: "xlimit=5" }, undefined],
    [{ "x-api-usage-limit": "1234567890123456" }, undefined],
    [{ "x-api-usage-limit": "123456789012345" }, { limit: 123456789012345, exhausted: false }],
    [{ "x-api-usage-limit": "12 of 5000" }, undefined],
    [{ "x-api-usage-limit": "about 12" }, undefined],
  ])("The rate-limit headers %j are read as %j", (headers, usage) => {
    expect(read(headers)).toEqual(usage ? { usage } : {});
  });

  test.each([
    ...["exhausted", "Exceeded", "reached", "over limit", "over_quota", "overlimit", "quota exceeded"],
    ...["limit_reached", "usage-exhausted", "limitexceeded"],
  ])("The status %s says that the quota is used up", (status) => {
    expect(read({ "x-api-usage-status": status })).toEqual({ usage: { exhausted: true } });
  });

  test.each(["ok", "not exceeded", "exceeded soon", "over", "quota", "nearly reached", ""])(
    "The status %s does not say that the quota is used up",
    (status) => {
      expect(read({ "x-api-usage-status": status })).toEqual({});
    },
  );
});

describe("a message about deprecation in a body", () => {
  test.each<[unknown]>([
    [{ message: "This API is deprecated." }],
    [{ Messages: ["hello", "V1 will be removed in May"] }],
    [{ warning: "Sunset in June" }],
    [{ _warnings: ["end of life"] }],
    [{ notice: "end-of-life" }],
    [{ info: { text: "we retire V1" } }],
    [{ meta: { a: 1, b: "discontinued" } }],
    [{ deprecation: "shutting down" }],
    [{ sunset: "shut down" }],
    [{ meta: "shutdown" }],
    [{ deprecated: true }],
    [{ _deprecated: true }],
    [{ deprecated: "deprecated since May" }],
    [{ passports: [], message: `${"x".repeat(490)} sunset` }],
    [{ meta: [...Array(9).fill("x"), "sunset"] }],
  ])("A message about deprecation in a body is seen in %j", (body) => {
    expect(hasDeprecationMessage(body)).toBe(true);
  });

  test.each<[unknown]>([
    [null],
    ["deprecated"],
    [["deprecated"]],
    [{ bio: "deprecated" }],
    [{ message: "welcome" }],
    [{ message: { text: { inner: "deprecated" } } }],
    [{ message: null }],
    [{ message: 7 }],
    [{ message: true }],
    [{ warning: true }],
    [{ sunset: true }],
    [{ deprecated: false }],
    [{ isdeprecated: true }],
    [{ deprecatedx: true, messagex: "deprecated", xmessage: "deprecated" }],
    [{ message: `${"x".repeat(500)}sunset` }],
    [{ meta: [...Array(10).fill("x"), "sunset"] }],
  ])("A message about deprecation in a body is not seen in %j", (body) => {
    expect(hasDeprecationMessage(body)).toBe(false);
  });
});

describe("the bounds of", () => {
  test("The bounds of a Deprecation are the years 1 to 9999, and parameters are ignored", () => {
    const at = (deprecation: string) => read({ deprecation }).deprecation;
    expect(at("@253402300799")).toEqual({ form: "rfc9745", at: "9999-12-31T23:59:59.000Z" });
    expect(at("@253402300800")).toEqual({ form: "unreadable" });
    expect(at("@-62135596800")).toEqual({ form: "rfc9745", at: "0001-01-01T00:00:00.000Z" });
    expect(at("@-62135596801")).toEqual({ form: "unreadable" });
    expect(at("@0;x")).toEqual({ form: "rfc9745", at: "1970-01-01T00:00:00.000Z" });
    expect(at("x@0")).toEqual({ form: "unreadable" });
    expect(at("@0x")).toEqual({ form: "unreadable" });
    expect(at("TRUE")).toEqual({ form: "draft-true" });
    expect(at(" true ")).toEqual({ form: "draft-true" });
  });

  test("The bounds of a Retry-After are whole seconds, rounded up, of a year at the most", () => {
    const wait = (text: string, date?: string) =>
      read({ "retry-after": text, ...(date && { date }) }, 503).retryAfterSeconds;
    expect(wait("31622400")).toBe(31_622_400);
    expect(wait("31622401")).toBe(31_622_400);
    expect(wait("1".repeat(20))).toBe(31_622_400);
    expect(wait("1".repeat(21))).toBeUndefined();
    expect(wait("12 s")).toBeUndefined();
    expect(wait("in 12")).toBeUndefined();
    expect(wait("Sun, 15 Nov 2026 12:00:01 GMT", "Sun, 15 Nov 2026 12:00:00 GMT")).toBe(1);
    const early = readNotices({
      status: 503,
      headers: { "retry-after": "Sun, 15 Nov 2026 12:00:01 GMT" },
      requestUrl,
      documentedPath: true,
      nowMs: nowMs + 1,
    });
    expect(early.retryAfterSeconds).toBe(1);
  });

  test("The bounds of a Sunset text are 200 characters read and 64 kept, of words that dates are written with", () => {
    const text = (sunset: string) => read({ sunset }).sunsetText;
    expect(text("soon ".repeat(100))).toBe("soon ".repeat(13).slice(0, 64));
    expect(text("Dec. 2026.")).toBe("Dec. 2026.");
    expect(text("(early) 'Q3', tbd")).toBe("(early) 'Q3', tbd");
    expect(text("12345 1234 1/2/2027 +01 12:30Z x12")).toBe("[...] 1234 1/2/2027 +01 12:30Z [...]");
    expect(text("1-2-3-4-5-6-7 1-2-3-4-5-6-7-8")).toBe("1-2-3-4-5-6-7 [...]");
    expect(text("JUNE may")).toBe("JUNE may");
  });

  test("The bounds of a Warning are codes of three digits, 299 before all others", () => {
    const code = (warning: string) => read({ warning }).warning;
    expect(code("099 x, 110 y, 214 z")).toBe(110);
    expect(code("199 x, 299")).toBe(299);
    expect(code("x 299")).toBeUndefined();
    expect(code("299x")).toBeUndefined();
  });

  test("The bounds of a redirect are its status, its origin and the first version in its path or host", () => {
    const to = (location: string, status = 301) => read({ location }, status).redirect;
    for (const status of [300, 301, 302, 303, 307, 308])
      expect(to("/v2", status)).toEqual({ origin: "same", leadsTo: "other-version" });
    for (const status of [304, 305, 306]) expect(to("/v2", status)).toBeUndefined();
    expect(to("/V1/x")).toEqual({ origin: "same", leadsTo: "v1" });
    expect(to("https://v2.example.com/api/v1/")).toEqual({ origin: "other", leadsTo: "v1" });
    expect(to("/v1234/xv2/v2x")).toEqual({ origin: "same", leadsTo: "elsewhere" });
    expect(to("/v123")).toEqual({ origin: "same", leadsTo: "other-version" });
    expect(to(`/v2?${"x".repeat(8_188)}`)).toBeDefined();
    expect(to(`/v2?${"x".repeat(8_189)}`)).toBeUndefined();
  });

  test("The bounds of a Link are 8,192 characters, and its relations are matched as whole words", () => {
    const relations = (link: string) => read({ link }).links;
    const start = "<a>; rel=sunset; title=";
    expect(relations(start.padEnd(8_192, "x"))).toEqual(["sunset"]);
    expect(relations(start.padEnd(8_193, "x"))).toBeUndefined();
    expect(relations("<a>;xrel=sunset")).toBeUndefined();
    expect(relations("<a>;rel =\tsunset")).toEqual(["sunset"]);
  });
});
