// Which part of a body is validated, and that the observation says how much of it.

import { describe, expect, test } from "vitest";
import type { EndpointId } from "../../../lib/contract/endpoints.ts";
import { fields } from "../../../lib/contract/fields.ts";
import {
  maxItems,
  maxRecords,
  readFieldValues,
  recordsOf,
} from "../../../lib/probe/validate/field-values.ts";
import { fc } from "../../random.ts";
import { anyEndpoint, type Body, bodyOf, bytesOf, findingsOf, observeBytes } from "./bodies.ts";

const credential = bodyOf("passport-credentials").passport_credentials[0];
const credentials = (length: number, edit: (one: Body, at: number) => Body = (one) => one): Body => ({
  passport_credentials: Array.from({ length }, (_, at) => edit({ ...credential }, at)),
});

describe("readFieldValues", () => {
  test("readFieldValues reads the values of every field, and undefined where an object lacks it", () => {
    const body = {
      passports: [
        { score: 1, passport_profile: { bio: "x", tags: ["a", 7] } },
        { score: null, passport_profile: null, unlisted: 1 },
        "no object",
      ],
      pagination: [],
    };
    const values = readFieldValues("passport-list", body);
    const all = fields["passport-list"].map(({ path }) => [path, values(path)]);
    expect(Object.fromEntries(all)).toMatchObject({
      "": [body],
      passports: [body.passports],
      "passports[]": body.passports,
      "passports[].score": [1, null],
      "passports[].passport_profile": [{ bio: "x", tags: ["a", 7] }, null],
      "passports[].passport_profile.bio": ["x"],
      "passports[].passport_profile.location": [undefined],
      "passports[].passport_profile.tags[]": ["a", 7],
      "passports[].verified_wallets": [undefined, undefined],
      "passports[].verified_wallets[]": [],
      "pagination.total": [],
    });
  });

  test("readFieldValues reads the first 500 records and the first 50 items of every array inside them", () => {
    const [passport] = bodyOf("passport-list").passports;
    const wallets = Array.from({ length: 60 }, (_, at) => `0x${at}`);
    const profile = { ...passport.passport_profile, tags: wallets };
    const long = { ...passport, verified_wallets: wallets, passport_profile: profile };
    const values = readFieldValues("passport-list", { passports: Array(600).fill(long) });
    expect(values("passports[]")).toHaveLength(maxRecords);
    expect(values("passports[].verified_wallets[]")).toHaveLength(maxRecords * maxItems);
    expect(values("passports[].passport_profile.tags[]").slice(0, maxItems)).toEqual(
      wallets.slice(0, maxItems),
    );
  });

  test("readFieldValues reads the first 50 socials of a single passport", () => {
    const values = readFieldValues("passport", { passport: { passport_socials: Array(51).fill({}) } });
    expect(values("passport.passport_socials[]")).toHaveLength(maxItems);
  });

  test("readFieldValues does not read a field from an own __proto__ key", () => {
    const body = JSON.parse('{"passport":{"__proto__":{"score":1}}}');
    expect(readFieldValues("passport", body)("passport.score")).toEqual([undefined]);
  });

  test("readFieldValues reads any JSON value without an error", () => {
    fc.assert(
      fc.property(anyEndpoint, fc.jsonValue(), (endpoint, value) => {
        expect(readFieldValues(endpoint, value)("")).toEqual([value]);
      }),
    );
  });
});

describe("recordsOf", () => {
  test.each<[string, EndpointId, Body, unknown[]]>([
    ["a list", "passport-list", { passports: [{}, null, 7] }, [{}, null, 7]],
    ["an empty list", "passport-list", { passports: [] }, []],
    ["a body without its list", "passport-list", {}, []],
    ["an object in place of the list", "passport-list", { passports: {} }, []],
    ["a single passport", "passport", { passport: { score: 1 } }, [{ score: 1 }]],
    ["a passport that is null", "passport", { passport: null }, [null]],
    ["a body without its passport", "passport", {}, []],
    ["an array in place of the body", "passport", [], []],
  ])("recordsOf finds the records of %s", (_, endpoint, body, records) => {
    expect(recordsOf(endpoint, body)).toEqual(records);
  });
});

describe("an observation", () => {
  test.each([
    [0, 0],
    [1, 1],
    [500, 500],
    [501, 500],
    [900, 500],
  ])("An observation of %d records says that %d were validated", (of, records) => {
    const observed = observeBytes("passport-credentials", bytesOf(credentials(of)));
    expect(observed.validated).toEqual({ records, of });
  });

  test("An observation of a single passport says that one record was validated, and none where it is missing", () => {
    expect(observeBytes("passport", bytesOf(bodyOf("passport"))).validated).toEqual({ records: 1, of: 1 });
    expect(observeBytes("passport", bytesOf({})).validated).toEqual({ records: 0, of: 0 });
  });

  test("An observation without a JSON body says nothing about validation", () => {
    expect(observeBytes("passport", Buffer.from("<html>")).validated).toBeUndefined();
    expect(observeBytes("passport", bytesOf({ error: "x" }), { status: 500 }).validated).toBeUndefined();
  });
});

test("A wrong record counts among the first 500 records and not after them", () => {
  const wrongAt = (wrong: number) => credentials(600, (one, at) => (at === wrong ? { ...one, id: 7 } : one));
  expect(findingsOf("passport-credentials", wrongAt(499))).toMatchObject([{ count: 1, of: 500 }]);
  expect(findingsOf("passport-credentials", wrongAt(500))).toEqual([]);
});

test("Ages are those of all records, because the newest may be the last", () => {
  const last = new Date(Date.UTC(2026, 10, 14, 11, 59)).toISOString();
  const body = credentials(600, (one, at) => (at === 599 ? { ...one, last_calculated_at: last } : one));
  const { staleness } = observeBytes("passport-credentials", bytesOf(body));
  expect(staleness).toMatchObject({ records: 600, dated: 600, ages: { newest: 60 } });
});
