// Evidence of one response about undocumented behaviour (lib/contract/gaps.ts).
import { describe, expect, test } from "vitest";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { describeErrorShape } from "../../../lib/probe/validate/evidence.ts";
import { type Body, bodyOf, bytesOf, observeBytes } from "./bodies.ts";

function factsOf(endpoint: EndpointId, body: Body, response = {}) {
  const { evidence } = observeBytes(endpoint, bytesOf(body), response);
  return (gap: string) =>
    evidence.filter((fact) => fact.gap === gap).map(({ subject, of, answers }) => ({ subject, of, answers }));
}

const change = (endpoint: EndpointId, edit: (body: Body) => void) => {
  const body = structuredClone(bodyOf(endpoint));
  edit(body);
  return body;
};

describe("evidence from the values of a body", () => {
  test("Evidence from the values of a body counts nulls by field, and how many places could have been null", () => {
    const body = change("passport-list", ({ passports }) => {
      for (const one of passports.slice(0, 9)) one.passport_profile.bio = null;
    });
    const nulls = factsOf("passport-list", body)("2.6-null");
    expect(nulls).toContainEqual({
      subject: "passports[].passport_profile.bio",
      of: 25,
      answers: { null: 9 },
    });
    expect(nulls).toContainEqual({ subject: "passports[].passport_profile", of: 25, answers: {} });
  });

  test("Evidence from the values of a body keeps the values of source, category and type that look like labels", () => {
    const body = change("passport-credentials", ({ passport_credentials: [one, two, three] }) => {
      one.type = "github_contributor";
      two.type = "ada.lovelace@example.org";
      three.type = "<b>x</b>";
    });
    const [{ answers } = { answers: {} }] = factsOf("passport-credentials", body)("2.6-type");
    const others = body.passport_credentials.length - 3;
    expect(answers).toEqual({ active_wallet: others, github_contributor: 1, "<other>": 2 });
  });

  test("Evidence from the values of a body keeps the first 96 values in alphabetical order and counts the others together", () => {
    const label = (at: number) => `label_${String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26))}`;
    const body = change("passport-credentials", ({ passport_credentials: credentials }) => {
      const [one] = credentials;
      credentials.length = 0;
      for (let at = 119; at >= 0; at--)
        credentials.push({ ...one, type: label(at) }, { ...one, type: label(at) });
    });
    const [{ of, answers } = { of: 0, answers: {} }] = factsOf("passport-credentials", body)("2.6-type");
    const kept = Array.from({ length: 96 }, (_, at) => [label(at), 2]);
    expect(of).toBe(240);
    expect(answers).toEqual({ ...Object.fromEntries(kept), "<other>": 48 });
  });

  test("Evidence from the values of a body stores the magnitude and precision of numbers, never their values", () => {
    const body = change("passport", ({ passport }) => {
      passport.score = 1234.25;
      passport.skills_score = -3;
      passport.activity_score = 0;
    });
    expect(factsOf("passport", body)("2.6-range")).toEqual(
      expect.arrayContaining([
        { subject: "passport.score", of: 1, answers: { "1,000s": 1, "2 decimals": 1 } },
        { subject: "passport.skills_score", of: 1, answers: { negative: 1, whole: 1 } },
        { subject: "passport.activity_score", of: 1, answers: { zero: 1, whole: 1 } },
      ]),
    );
  });

  test.each([
    [0.07, "2 decimals"],
    [1.1, "1 decimal"],
    [4.35, "2 decimals"],
    [-0.07, "2 decimals"],
    [1.005, "3 decimals"],
    [123456.789, "3 decimals"],
    [0.00001, "5 decimals"],
    [0.1234567, "6 or more decimals"],
    [1e-300, "6 or more decimals"],
    [1e21, "whole"],
  ])("Evidence from the values of a body counts %d as %s in spite of binary rounding", (score, precision) => {
    const body = change("passport", ({ passport }) => {
      passport.score = score;
    });
    const fact = factsOf("passport", body)("2.6-range").find(({ subject }) => subject === "passport.score");
    expect(fact?.answers).toHaveProperty(precision, 1);
  });

  test("Evidence from the values of a body names the format of earned_at", () => {
    const body = change("passport-credentials", ({ passport_credentials: [one, two] }) => {
      one.earned_at = "2024-10-01";
      two.earned_at = "";
    });
    const [{ answers } = { answers: {} }] = factsOf("passport-credentials", body)("2.6-earned-at");
    expect(answers).toEqual({ "date-time": body.passport_credentials.length - 2, date: 1, empty: 1 });
  });

  test("Evidence from the values of a body counts the states of calculating_score", () => {
    const body = change("passport", ({ passport }) => {
      passport.calculating_score = true;
    });
    expect(factsOf("passport", body)("3-states")).toEqual([
      { subject: "passport.calculating_score", of: 1, answers: { true: 1, "not true": 0 } },
    ]);
  });
});

describe("evidence from the response", () => {
  const list = bodyOf("passport-list");
  const error = { error: "Resource not found." };

  test.each<[string, string, EndpointId, Body, object, object]>([
    [
      "sort direction",
      "4.4-sort",
      "passport-list",
      list,
      {},
      { subject: "passports[].score", answers: { descending: 1 } },
    ],
    ["page size", "8-page-size", "passport-list", list, {}, { subject: "passports", answers: { "25": 1 } }],
    [
      "page parameter that works",
      "4.4-page",
      "passport-list",
      { ...list, pagination: { ...list.pagination, current_page: 2 } },
      { variant: "second-page" },
      { subject: "page", answers: { works: 1 } },
    ],
    [
      "page parameter that is ignored",
      "4.4-page",
      "passport-list",
      list,
      { variant: "second-page" },
      { subject: "page", answers: { ignored: 1 } },
    ],
    [
      "integer id",
      "4.2-id",
      "passport",
      bodyOf("passport"),
      {},
      { subject: "integer", answers: { "200": 1 } },
    ],
    [
      "wallet as id",
      "4.2-id",
      "passport",
      bodyOf("passport"),
      { variant: "by-other-id" },
      { subject: "wallet", answers: { "200": 1 } },
    ],
    [
      "unknown id",
      "4.4-unknown-id",
      "passport",
      error,
      { variant: "unknown-id", status: 404 },
      { subject: "status", answers: { "404": 1 } },
    ],
    [
      "error body",
      "7-error-body",
      "passport",
      error,
      { variant: "unknown-id", status: 404 },
      { subject: "404", answers: { "{error: string}": 1 } },
    ],
    [
      "another code",
      "7-codes",
      "passport",
      error,
      { status: 503 },
      { subject: "authenticated", answers: { "503": 1 } },
    ],
    [
      "the code for an unknown id, by variant,",
      "7-codes",
      "passport",
      error,
      { variant: "unknown-id", status: 404 },
      { subject: "unknown-id", answers: { "404": 1 } },
    ],
    [
      "no key",
      "5-anonymous",
      "passport",
      bodyOf("passport"),
      { variant: "anonymous" },
      { subject: "passport", answers: { "200": 1 } },
    ],
    ["rate limit", "8-rate", "passport", error, { status: 429 }, { subject: "limit", answers: { "429": 1 } }],
    [
      "quota",
      "8-rate",
      "passport",
      error,
      { status: 401, headers: { "x-api-usage-current": "9", "x-api-usage-limit": "5000" } },
      { subject: "5000 requests", answers: { "401": 1 } },
    ],
    [
      "removal",
      "9-removal",
      "passport",
      bodyOf("passport"),
      { headers: { sunset: "Thu, 31 Dec 2026 12:00:00 GMT" } },
      { subject: "Sunset", answers: { "2026-12-31": 1 } },
    ],
  ])("A response shows %s as evidence for gap %s", (_, gap, endpoint, body, response, fact) => {
    expect(factsOf(endpoint, body, response)(gap)).toEqual([{ ...fact, of: 1 }]);
  });

  test.each([
    [500, ["7-codes"]],
    [503, ["7-codes"]],
    [429, ["7-codes", "8-rate"]],
    [401, ["5-anonymous"]],
    [403, ["5-anonymous", "7-codes"]],
  ])("An outage, a limit or a refusal answers no question about ids: %i", (status, expected) => {
    const gaps = (["authenticated", "by-other-id", "anonymous"] as const).flatMap((variant) =>
      observeBytes("passport", bytesOf(error), { variant, status }).evidence.map(({ gap }) => gap),
    );
    expect([...new Set(gaps)].filter((gap) => gap !== "7-error-body").sort()).toEqual(expected);
  });

  test("A 200 that is not JSON is not counted as an error code", () => {
    const { evidence } = observeBytes("passport", Buffer.from("<html>"));
    expect(evidence.map(({ gap }) => gap)).toEqual(["4.2-id"]);
  });
});

test.each<[unknown, string]>([
  [{ error: "secret text" }, "{error: string}"],
  [{ message: null, errors: ["x"], status: 404 }, "{errors: array, message: null, …}"],
  [
    { abcdefghijklmnop: true, bcdefghijklmnopq: true, cdefghijklmnopqr: true },
    "{abcdefghijklmnop: boolean, bcdefghijklmnopq: boolean, …}",
  ],
  [{ "ada@example.org": {} }, "{<dynamic>: object}"],
  ["text", "string"],
  [[1], "array"],
  [null, "null"],
  [{}, "{}"],
])("describeErrorShape(%j) is %s", (body, shape) => {
  expect(describeErrorShape(body)).toBe(shape);
});

test.each(endpointIds)("All evidence and findings of a realistic %s fit into the observation", (endpoint) => {
  for (let rank = 0; rank < 25; rank++) {
    const { evidence, findingsOmitted } = observeBytes(
      endpoint,
      bytesOf(bodyOf(endpoint, "realistic", rank)),
    );
    expect(evidence.length).toBeLessThan(32);
    expect(findingsOmitted).toBe(0);
  }
});
