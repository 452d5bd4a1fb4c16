// Responses with status 200 but without V1's data, and correct responses that must not be taken for them.
import { expect, test } from "vitest";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { validateBody } from "../../../lib/probe/validate/validate-body.ts";
import { type Body, bodyOf, bytesOf, clock, observeBytes } from "./bodies.ts";

const detect = (endpoint: EndpointId, body: unknown) => validateBody(endpoint, body, { clock }).fakeOk;

test.each(endpointIds)("A correct %s is not a fake 200 in either profile of the simulator", (endpoint) => {
  for (let rank = 0; rank < 25; rank++) {
    for (const profile of ["documented", "realistic"] as const) {
      const body = bodyOf(endpoint, profile, rank);
      // A person may have no credentials.
      const expected = body.passport_credentials?.length === 0 ? "empty" : undefined;
      expect(detect(endpoint, body)).toBe(expected);
    }
  }
});

test.each<[string, EndpointId, Body, string | undefined]>([
  ["profiles in place of passports", "passport-list", { profiles: [] }, "v2-shaped"],
  ["a profile in place of a passport", "passport", { profile: {} }, "v2-shaped"],
  ["a score object in place of a passport", "passport", { score: { points: 1 } }, "v2-shaped"],
  [
    "credentials with points and slug",
    "passport-credentials",
    { passport_credentials: [{ points: 1, slug: "x" }] },
    "v2-shaped",
  ],
  [
    "an extra key named like V2's beside the passport",
    "passport",
    { ...bodyOf("passport"), profile: {} },
    undefined,
  ],
  ["an empty list", "passport-list", { passports: [], pagination: {} }, "empty"],
  ["no list at all", "passport-list", {}, undefined],
  ["an empty array in place of a passport", "passport", { passport: [] }, undefined],
  ["an empty passport", "passport", { passport: {} }, undefined],
  [
    "scores of 0 and one of 1",
    "passport-credentials",
    {
      passport_credentials: [
        { score: 0, max_score: 0 },
        { score: 0, max_score: 1 },
      ],
    },
    undefined,
  ],
  [
    "scores of 0 and of -0",
    "passport-credentials",
    { passport_credentials: [{ score: 0, max_score: -0 }] },
    "stub-data",
  ],
  ["an error in a 200", "passport", { error: "x" }, undefined],
  ["null", "passport", null, undefined],
])("A body is judged by its shape, %s: %s %j is %s", (_, endpoint, body, expected) => {
  expect(detect(endpoint, body)).toBe(expected);
});

test.each([
  ...["profile", "profiles", "accounts", "socials", "credentials", "points", "slug", "data_issuer_slug"],
])("A body without its records and with %s is V2's", (key) => {
  expect(detect("passport", { [key]: 1 })).toBe("v2-shaped");
  expect(detect("passport", { ...bodyOf("passport"), [key]: 1 })).toBeUndefined();
});

test.each<[string, EndpointId, Body, string | undefined]>([
  ["a score that is no object", "passport", { score: 1 }, undefined],
  ["a passport with points and slug", "passport", { passport: { points: 1, slug: "x" } }, "v2-shaped"],
  ["a passport with points alone", "passport", { passport: { points: 1 } }, undefined],
  ["a passport with a slug alone", "passport", { passport: { slug: "x" } }, undefined],
  ["a passport that is null", "passport", { passport: null, profile: {} }, undefined],
  ["a passport whose score is 0", "passport", { passport: { score: 0 } }, "stub-data"],
  ["a passport whose score is negative", "passport", { passport: { score: 0, skills_score: -1 } }, undefined],
  ["a score of 0 beside a text", "passport", { passport: { score: 0, skills_score: "7" } }, "stub-data"],
  [
    "a score of 0 beside infinity",
    "passport",
    { passport: { score: 0, skills_score: Infinity } },
    "stub-data",
  ],
  ["a list that is no array", "passport-list", { passports: {} }, undefined],
])("A body is judged by its shape, %s: %s %j is %s", (_, endpoint, body, expected) => {
  expect(detect(endpoint, body)).toBe(expected);
});

test("A 203 with V1's data is served, and a 202 without it is its status", () => {
  const served = observeBytes("passport-list", bytesOf(bodyOf("passport-list", "documented", 0)), {
    status: 203,
  });
  expect(served.outcome).toEqual({ kind: "ok", status: 203 });
  const accepted = observeBytes("passport-list", bytesOf({ status: "accepted" }), { status: 202 });
  expect(accepted.outcome).toEqual({ kind: "status", status: 202 });
});
