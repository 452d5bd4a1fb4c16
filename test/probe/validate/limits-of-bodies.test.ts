// The boundaries of what is read of a body: names and values that may be stored, sizes, ages and evidence.
import { describe, expect, test } from "vitest";
import type { EndpointId } from "../../../lib/contract/endpoints.ts";
import { describeErrorShape, readResponseFacts } from "../../../lib/probe/validate/evidence.ts";
import {
  containerOf,
  createKeyMask,
  firstItems,
  isList,
  isPlainKey,
  isPlainValue,
  maskHeaders,
  maskValue,
  nameInRecord,
} from "../../../lib/probe/validate/field-values.ts";
import { parseBody } from "../../../lib/probe/validate/parse-body.ts";
import { measureStaleness, nameDateFormat } from "../../../lib/probe/validate/staleness.ts";
import type { Notices, Outcome, Variant } from "../../../lib/records/observation.ts";
import { type Body, bodyOf, bytesOf, now, observeBytes } from "./bodies.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("a key may be stored", () => {
  const word = "abcdefghijklmnopqrst"; // 20 letters
  test.each<[string, boolean]>([
    ["a", true],
    ["Z", true],
    [word, true],
    [`${word}u`, false],
    [`word_${word}`, true],
    [`word_${word}u`, false],
    ["a_b_c_d_e_f", false], // many short words, as of a random text
    ["ab_cd_ef_gh_ij", false], // less than three characters a word
    ["abc_cd_ef_gh_ij", true],
    ["one_two_three_four_five_six", true],
    ["one_two_three_four_five_six_seven", false],
    ["score_12", true],
    ["score12", true],
    ["score_123", false],
    ["score_12_total", true],
    ["score12_total", true],
    ["score_12_Total", false],
    [`score_1_${word}`, true],
    [`score_1_${word}u`, false],
    ["_score", false],
    ["score_", false],
    ["score__x", false],
    ["1score", false],
    ["score x", false],
    [`${word.slice(0, 19)}_${word}`, true], // 40 characters
    [`${word}_${word}`, false],
    ["bcdfghjk", false],
    ["bcdfghi", true],
    ["abcdef_deadbeef", false],
    ["deadbee", true],
    ["sk_abcdef1234567890", false],
  ])("The key %s may be stored: %s", (key, isStored) => {
    expect(isPlainKey(key)).toBe(isStored);
  });
});

describe("a value may be stored", () => {
  const fourteen = "aeiouaeiouaeio";
  test.each<[string, boolean]>([
    [fourteen, true],
    [`${fourteen}a`, false],
    [`lens_${fourteen}`, true],
    [`lens_${fourteen}a`, false],
    ["web123", true],
    ["web1234", false],
    ["year_2024", true],
    ["year_20245", false],
    ["a2_b", true],
    ["one_two_three_four_five_six", true],
    ["one_two_three_four_five_six_seven", false],
    ["lens_", false],
    ["lens1_guild2_poap", true],
    ["lens1_guild2_poap3", false], // three numbers, as of a random text
    ["_lens", false],
    ["Ab", true],
    ["A", false],
    [`A${"eiouaeiouaeio"}`, true],
    [`A${"eiouaeiouaeioa"}`, false],
    ["AB", false],
    ["xActivity", false],
    ["Activity2", false],
    ["lens lens", false],
    ["aeiou_aeiou_aeiou_aeiou_aeiou_aeiou_aeio", false], // seven words
    ["aeioua_aeioua_aeioua_aeioua_aeioua_aeiou", true], // 40 characters
    ["aeioua_aeioua_aeioua_aeioua_aeioua_aeioua", false], // 41 characters
  ])("The value %s may be stored: %s", (value, isStored) => {
    expect(isPlainValue(value)).toBe(isStored);
  });
});

describe("the API key in use is masked", () => {
  const mask = (key: string | undefined, text: string) => createKeyMask(key)(text);

  test("The API key in use is masked inside a text from 8 characters on, and a shorter one as the whole text only", () => {
    expect(mask("abcdefgh", "x-ABCDEFGH-y abcdefgh")).toBe("x-<key>-y <key>");
    expect(mask("abcdefg", "x-abcdefg")).toBe("x-abcdefg");
    expect(mask("abcdefg", "abcdefgx")).toBe("abcdefgx");
    expect(mask("abcdefg", "AbcdefG")).toBe("<key>");
    expect(mask("a.cdefg+(h", "xa.cdefg+(hx a_cdefg+(h")).toBe("x<key>x a_cdefg+(h");
  });

  test("The API key in use is masked but for a name or value of V1's document, and not without a key", () => {
    expect(mask("passports", "passports")).toBe("passports");
    expect(mask("active_wallet", "active_wallet")).toBe("active_wallet");
    expect(mask("verified_wallets", "verified_wallets")).toBe("verified_wallets");
    expect(mask("passports", "the passports")).toBe("the <key>");
    expect(mask("", "text")).toBe("text");
    expect(mask(undefined, "text")).toBe("text");
  });

  test("The API key in use is masked in keys, texts and numbers of a value at any depth", () => {
    const hide = createKeyMask("12345678");
    const value = { "k-12345678": ["x12345678", 12345678, 123456789, null, true, { a: "12345678" }] };
    expect(maskValue(value, hide)).toEqual({
      "k-<key>": ["x<key>", "<key>", 123456789, null, true, { a: "<key>" }],
    });
    expect(maskHeaders({ "x-12345678": "12345678" }, hide)).toEqual({ "x-12345678": "<key>" });
  });

  test.each(['{"a":"secret-key"}', '{"a":"SECRET-KEY"}', '{"a":"\\u0073ecret-key"}', '{"secret-key":1}'])(
    "The API key in use is masked in the body %s",
    (text) => {
      expect(JSON.stringify(parseBody(bytes(text), "secret-key"))).not.toMatch(/secret-key/i);
    },
  );

  test("The API key in use is masked in a body that has it with an escape of JSON", () => {
    const parsed = parseBody(bytes(JSON.stringify({ a: 'x"y\\z-secret', b: "a/b" })), 'x"y\\z-secret');
    expect(parsed).toMatchObject({ value: { a: "<key>", b: "a/b" } });
    const slashed = parseBody(bytes('{"a":"secret\\/key"}'), "secret/key");
    expect(slashed).toMatchObject({ value: { a: "<key>" } });
  });
});

describe("a body is parsed", () => {
  const kind = (text: string) => parseBody(bytes(text)).kind;
  const list = (item: string, count: number) => `[${Array(count).fill(item).join()}]`;

  test("A body is parsed up to 100,000 objects and arrays", () => {
    expect(kind(list("[]", 99_999))).toBe("json");
    expect(kind(list("{}", 100_000))).toBe("too-large");
  });

  test("A body is parsed up to 150,000 keys", () => {
    const items = Array(50_000).fill('{"a":1,"b":1,"c":1}').join();
    expect(kind(`[${items}]`)).toBe("json");
    expect(kind(`[${items},{"a":1}]`)).toBe("too-large");
  });

  test("A body is parsed up to 64 levels at any place, and levels that were closed do not count", () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    expect(kind(deep(64))).toBe("json");
    expect(parseBody(bytes(`[1,${deep(64)}]`))).toEqual({ kind: "not-json", detail: "deep" });
    expect(kind(list(deep(63), 3))).toBe("json");
  });

  test("A body is parsed with white space and a byte order mark before it", () => {
    for (const start of [" ", "\n", "\r", "\t", "\ufeff", "\ufeff \n\r\t"]) {
      expect(kind(`${start}{}`)).toBe("json");
      expect(parseBody(bytes(`${start}<`))).toMatchObject({ detail: "html" });
    }
    // A character whose bytes end like those of a mark.
    expect(parseBody(bytes("\u3eff<"))).toMatchObject({ detail: "text" });
    // Half of a mark is no mark.
    expect(parseBody(Uint8Array.of(0xef, 0xbb, 0x3c))).toMatchObject({ kind: "bad-encoding" });
  });
});

describe("ages", () => {
  const at = (ageMs: number) => ({ last_calculated_at: new Date(now - ageMs).toISOString() });
  const measure = (records: Body[], more: object = {}) =>
    measureStaleness("passport-credentials", records, { nowMs: now, maxSkewSeconds: 300, ...more });

  test("Ages are in tenths of a second, by nearest rank", () => {
    expect(measure([at(1_249), at(1_250)]).ages).toEqual({ newest: 1.2, p50: 1.2, p95: 1.3, oldest: 1.3 });
    const twenty = Array.from({ length: 20 }, (_, index) => at((index + 1) * 1_000));
    expect(measure(twenty).ages).toEqual({ newest: 1, p50: 10, p95: 19, oldest: 20 });
    expect(measure([...twenty, at(21_000)]).ages).toEqual({ newest: 1, p50: 11, p95: 20, oldest: 21 });
    expect(measure([at(900), at(10_000), at(2_000)]).ages).toMatchObject({ newest: 0.9, oldest: 10 });
  });

  test("Ages of up to five seconds ahead count as now", () => {
    expect(measure([at(-5_000)])).toMatchObject({ dated: 1, future: 0, ages: { newest: 0 } });
    expect(measure([at(-5_001)])).toMatchObject({ dated: 0, future: 1 });
  });

  test("Ages are muted beyond the largest skew, in whole seconds", () => {
    const skew = (aheadMs: number) => measure([at(0)], { targetNowMs: now + aheadMs });
    expect(skew(300_499)).toMatchObject({ skewSeconds: 300, muted: false });
    expect(skew(300_500)).toMatchObject({ skewSeconds: 301, muted: true });
    expect(skew(-300_000)).toMatchObject({ skewSeconds: -300, muted: false });
    expect(skew(-301_000)).toMatchObject({ skewSeconds: -301, muted: true });
  });

  test("Ages count records whose score is being calculated, where the endpoint has such a field", () => {
    const records = [
      { calculating_score: true },
      { calculating_score: "true" },
      { calculating_score: false },
    ];
    const measured = (endpoint: EndpointId) =>
      measureStaleness(endpoint, records, { nowMs: now, maxSkewSeconds: 300 }).calculating;
    expect(measured("passport-list")).toBe(1);
    expect(measured("passport")).toBe(1);
    expect(measured("passport-credentials")).toBe(0);
  });

  test.each([
    [`2024-10-01T10:00:00.${"1".repeat(43)}Z`, "date-time"], // 64 characters
    [`2024-10-01T10:00:00.${"1".repeat(44)}Z`, "text"],
    ["2024-10-01 10:00", "zone-less"],
    ["2024-10-01T10:00:00.5", "zone-less"],
    ["x2024-10-01T10:00", "text"],
    ["2024-10-01T10:00x", "text"],
    ["2024-10-01T10:00-0500", "basic-offset"],
    ["2024-10-01T10:00:00.25+0100", "basic-offset"],
    ["2024-10-01 10:00:00+0100", "text"],
    ["x2024-10-01T10:00+0100", "text"],
    ["2024-10-01T10:00+01000", "text"],
    ["2024-13-01T10:00:00.5+01:00", "impossible-date"],
    ["2024-13-01T10:00Z", "impossible-date"],
    ["x2024-13-01T10:00Z", "text"],
    ["2024-13-01T10:00Zx", "text"],
    ["2024-13-01", "impossible-date"],
    ["x2024-10-01", "text"],
    ["2024-10-011", "text"],
    ["12345678901", "text"],
    ["123456789", "text"],
    ["x1727786150", "text"],
    ["1727786150602x", "text"],
    ["x1727786150602", "text"],
    ["xTue, 01 Oct 2024 12:35:50 GMT", "text"],
    ["Tue, 01 Oct 2024", "text"],
  ])("Ages are not read from %s, which is named %s", (text, name) => {
    expect(nameDateFormat(text)).toBe(name);
  });
});

describe("evidence", () => {
  const answersOf = (score: number) =>
    Object.keys(
      observeBytes(
        "passport",
        bytesOf({ passport: { ...bodyOf("passport").passport, score } }),
      ).evidence.find(({ subject, gap }) => subject === "passport.score" && gap === "2.6-range")?.answers ??
        {},
    );

  test.each([
    [-0.5, "negative"],
    [0, "zero"],
    [0.5, "below 1"],
    [1, "1 to 9"],
    [9.9, "1 to 9"],
    [10, "10 to 99"],
    [99.9, "10 to 99"],
    [100, "100 to 999"],
    [1_000, "1,000s"],
    [9_999, "1,000s"],
    [10_000, "10,000s"],
    [99_999, "10,000s"],
    [100_000, "100,000 and up"],
    [1e300, "100,000 and up"],
  ])("Evidence of the number %d is its magnitude %s", (score, magnitude) => {
    expect(answersOf(score)).toContain(magnitude);
  });

  test.each<[object, string]>([
    [{ b: 1, a: "x" }, "{a: string, b: number}"],
    [{ c: [], b: null, a: {} }, "{a: object, b: null, …}"],
    [{ abcdefghijklmnop: 1 }, "{abcdefghijklmnop: number}"],
    [{ abcdefghijklmnopq: 1 }, "{<dynamic>: number}"],
  ])("Evidence of the error body %j is its shape %s", (body, shape) => {
    expect(describeErrorShape(body)).toBe(shape);
  });

  const facts = (
    more: Partial<Parameters<typeof readResponseFacts>[0]>,
    outcome: Outcome = { kind: "ok", status: 200 },
  ) =>
    readResponseFacts({
      variant: "authenticated" as Variant,
      endpoint: "passport" as EndpointId,
      outcome,
      notices: {} as Notices,
      ...more,
    }).map(({ gap, subject, answers }) => `${gap} ${subject} ${Object.keys(answers)[0]}`);

  test.each<[string, Parameters<typeof facts>, string[]]>([
    ["the id of a passport", [{}], ["4.2-id integer 200"]],
    ["an anonymous request", [{ variant: "anonymous" }], ["4.2-id integer 200", "5-anonymous passport 200"]],
    ["a wallet", [{ variant: "by-other-id" }], ["4.2-id wallet 200"]],
    ["a wrong key", [{ variant: "bad-key" }, { kind: "unauthorized", status: 401 }], []],
    ["an endpoint without a gap", [{ endpoint: "passport-credentials" }], []],
    ["no status", [{}, { kind: "network", detail: "dns" }], []],
    [
      "a redirect",
      [{}, { kind: "redirect", status: 302 }],
      ["4.2-id integer 302", "7-codes authenticated 302"],
    ],
    [
      "an unknown id with an error body",
      [
        { variant: "unknown-id", errorBody: null },
        { kind: "status", status: 404 },
      ],
      ["4.4-unknown-id status 404", "7-codes unknown-id 404", "7-error-body 404 null"],
    ],
    ["an error body of a 200", [{ errorBody: {} }], ["4.2-id integer 200"]],
    [
      "a rate limit",
      [{ endpoint: "passport-credentials" }, { kind: "status", status: 429 }],
      ["7-codes authenticated 429", "8-rate limit 429"],
    ],
    [
      "a usage without a limit",
      [{ endpoint: "passport-credentials", notices: { usage: { exhausted: true } } }],
      ["8-rate limit 200"],
    ],
    [
      "a usage with a limit and no status",
      [{ notices: { usage: { exhausted: true, limit: 9 } } }, { kind: "timeout" }],
      ["8-rate 9 requests timeout"],
    ],
    [
      "a Sunset",
      [{ endpoint: "passport-credentials", notices: { sunset: "2026-12-31T12:00:00.000Z" } }],
      ["9-removal Sunset 2026-12-31"],
    ],
  ])("Evidence is taken from %s", (_name, input, expected) => {
    expect(facts(...input)).toEqual(expected);
  });

  const listFacts = (list: object, variant: Variant = "authenticated", outcome?: Outcome) =>
    facts(
      {
        endpoint: "passport-list",
        variant,
        list: { order: "unknown", records: 25, currentPage: 1, lastPage: 2, ...list },
      },
      outcome,
    );

  test.each<[string, Parameters<typeof listFacts>, string[]]>([
    ["a full page", [{}], ["8-page-size passports 25"]],
    ["the last page", [{ currentPage: 2 }], []],
    ["a page that is no number", [{ currentPage: "1" }], []],
    ["a last page that is no number", [{ lastPage: "2" }], []],
    ["an order", [{ order: "flat" }], ["4.4-sort passports[].score flat", "8-page-size passports 25"]],
    ["a second page that works", [{ currentPage: 2 }, "second-page"], ["4.4-page page works"]],
    [
      "a second page that is ignored",
      [{}, "second-page"],
      ["8-page-size passports 25", "4.4-page page ignored"],
    ],
    ["a second page where there is one page", [{ lastPage: 1 }, "second-page"], []],
    ["a second page without a last one", [{ lastPage: null }, "second-page"], []],
    [
      "a list that failed",
      [{}, "authenticated", { kind: "status", status: 500 }],
      ["7-codes authenticated 500"],
    ],
  ])("Evidence is taken from a list with %s", (_name, input, expected) => {
    expect(listFacts(...input)).toEqual(expected);
  });
});

test("The names of records and of their fields follow from the contract", () => {
  expect(isList("passport-list")).toBe(true);
  expect(isList("passport")).toBe(false);
  expect(containerOf("passport-credentials")).toBe("passport_credentials");
  expect(containerOf("passport")).toBe("passport");
  expect(nameInRecord("passport-list", "passports[].score")).toBe("score");
  expect(nameInRecord("passport", "passport.passport_profile.bio")).toBe("passport_profile.bio");
  expect(firstItems(Array(51).fill(1))).toHaveLength(50);
  expect(firstItems("text")).toBe("text");
});
