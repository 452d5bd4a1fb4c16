// What V1's document says beyond types.
import { describe, expect, test } from "vitest";
import {
  checkAgreement,
  checkKeyword,
  checkOrder,
  checkPagination,
} from "../../../lib/probe/validate/invariants.ts";
import { validateBody } from "../../../lib/probe/validate/validate-body.ts";
import { type Body, bodyOf, clock, idsOf } from "./bodies.ts";

const scores = (...values: unknown[]) => values.map((score) => ({ score }));

describe("checkOrder", () => {
  test.each<[string, unknown[], string]>([
    ["falling scores", [9, 5, 5, 1], "descending"],
    ["rising scores", [1, 5, 5, 9], "ascending"],
    ["equal scores", [3, 3, 3], "flat"],
    ["scores that rise and fall", [9, 1, 5], "unsorted"],
    ["one record", [9], "unknown"],
    ["no records", [], "unknown"],
    ["falling scores among values that are not numbers", [9, null, "10", 5, undefined, 1], "descending"],
    ["falling scores from infinity on", [Number.POSITIVE_INFINITY, 5, -0, 0], "descending"],
  ])("checkOrder finds the direction of %s", (_, values, direction) => {
    const order = checkOrder("passport-list", scores(...values));
    expect(order.direction).toBe(direction);
    // The document does not say in which direction, so both are correct.
    expect(order.finding !== undefined).toBe(direction === "unsorted");
  });

  test("checkOrder counts one record out of place once, in both directions", () => {
    expect(checkOrder("passport-list", scores(9, 8, 10, 7, 6)).finding).toMatchObject({
      count: 1,
      of: 4,
      level: "breaking",
    });
    expect(checkOrder("passport-list", scores(6, 7, 10, 8, 9)).finding).toMatchObject({ count: 1, of: 4 });
  });
});

test("A finding about order, keyword or pagination says what was expected and what was observed", () => {
  expect(checkOrder("passport-list", scores(1, 3, 2)).finding).toEqual({
    id: "passport-list passports[].score order",
    path: "passports[].score",
    kind: "order",
    expected: "sorted",
    observed: "unsorted",
    count: 1,
    of: 2,
    level: "breaking",
  });
  const [bob] = [{ passport_profile: { display_name: "Bob" } }];
  expect(checkKeyword("passport-list", [bob], "an")).toMatchObject({
    kind: "filter",
    expected: "names with the keyword",
    observed: "other names",
    level: "breaking",
  });
  const pagination = { current_page: 0, last_page: 1, total: 1 };
  expect(checkPagination("passport-list", { passports: [{}], pagination })).toEqual({
    id: "passport-list pagination pagination",
    path: "pagination",
    kind: "pagination",
    expected: "numbers that add up",
    observed: "a negative or zero number",
    count: 1,
    of: 1,
    level: "breaking",
  });
});

test("An endpoint whose document names no order and no keyword has neither", () => {
  expect(checkOrder("passport-credentials", scores(1, 3, 2))).toEqual({ direction: "unknown" });
  expect(checkKeyword("passport-credentials", [{ name: "Bob" }], "an")).toBeUndefined();
});

describe("checkKeyword", () => {
  const named = (...names: unknown[]) =>
    names.map((display_name) => ({ passport_profile: { display_name } }));

  test("checkKeyword ignores upper and lower case, and records without a name", () => {
    expect(checkKeyword("passport-list", named("Ana", "jANA", null, 7, undefined), "an")).toBeUndefined();
    expect(
      checkKeyword("passport-list", [{}, { passport_profile: null }, { passport_profile: [] }], "an"),
    ).toBeUndefined();
    expect(checkKeyword("passport-list", [], "an")).toBeUndefined();
  });

  test("checkKeyword counts other names, and stores neither them nor the keyword", () => {
    const finding = checkKeyword("passport-list", named("Ana", "Bob", "Eve", null), "an");
    expect(finding).toMatchObject({
      id: "passport-list passports[].passport_profile.display_name filter",
      count: 2,
      of: 3,
    });
    expect(JSON.stringify(finding)).not.toMatch(/Bob|Eve|Ana/);
  });
});

describe("checkPagination", () => {
  const page = (current_page: unknown, last_page: unknown, total: unknown, records: number) => ({
    passports: Array(records).fill({}),
    pagination: { current_page, last_page, total },
  });

  test.each<[string, Body]>([
    ["a full first page", page(1, 20, 500, 25)],
    ["a full first page with a short last one", page(1, 21, 501, 25)],
    ["a short last page", page(21, 21, 501, 1)],
    ["one page", page(1, 1, 3, 3)],
    ["no records, one page", page(1, 1, 0, 0)],
    ["no records, no page", page(1, 0, 0, 0)],
    ["past the end", page(99, 20, 500, 0)],
    ["an empty second page of one", page(2, 1, 25, 0)],
    ["a last page that is no number", page(1, "20", 500, 25)],
    ["a total that is no number", page(1, 20, null, 25)],
    ["a list that is no list", { ...page(0, 0, 0, 0), passports: {} }],
    ["no object", null],
    ["a pagination that is no object", { passports: [], pagination: [0] }],
    ["a middle page", page(2, 20, 500, 25)],
    ["numbers of another type", page("1", 20, 500, 25)],
    ["no list", { pagination: { current_page: 1, last_page: 2, total: 3 } }],
    ["no pagination", { passports: [] }],
  ])("checkPagination accepts %s", (_, body) => {
    expect(checkPagination("passport-list", body)).toBeUndefined();
  });

  test.each<[string, Body, string]>([
    ["page 0", page(0, 20, 500, 25), "a negative or zero number"],
    ["a negative total", page(1, 20, -1, 0), "a negative or zero number"],
    ["a negative last page", page(1, -1, 0, 0), "a negative or zero number"],
    ["an empty last page", page(20, 20, 500, 0), "an empty page before the last"],
    ["a wrong last page in the middle", page(2, 21, 500, 25), "a last page that contradicts the total"],
    ["a total below the records of one page", page(1, 1, 5, 4), "a total that differs from the records"],
    ["more records than the total", page(1, 1, 3, 4), "more records than the total"],
    ["an empty page in the middle", page(2, 20, 500, 0), "an empty page before the last"],
    ["records past the last page", page(21, 20, 500, 25), "records past the last page"],
    ["a wrong last page", page(1, 3, 500, 25), "a last page that contradicts the total"],
    ["a wrong total", page(1, 1, 500, 25), "a total that differs from the records"],
  ])("checkPagination reports %s", (_, body, observed) => {
    expect(checkPagination("passport-list", body)).toMatchObject({
      kind: "pagination",
      level: "breaking",
      observed,
    });
  });

  test("checkPagination counts records that are null as records of the page", () => {
    const body = structuredClone(bodyOf("passport-list"));
    body.passports.fill(null);
    expect(idsOf("passport-list", body)).toEqual(["passport-list passports[] null"]);
  });
});

describe("checkAgreement", () => {
  const { passport } = bodyOf("passport");
  const listed = bodyOf("passport-list").passports[0];
  const disagreements = (change: Body, here: Body = passport) =>
    checkAgreement("passport", { passport: here }, { ...listed, ...change }).map(({ id }) => id);

  test("checkAgreement finds no difference between the list and the single passport of the simulator", () => {
    expect(disagreements({})).toEqual([]);
    expect(checkAgreement("passport", { passport: null }, listed)).toEqual([]);
  });

  test("checkAgreement names a field that differs, without its values, as a notice", () => {
    const [finding] = checkAgreement("passport", { passport }, { ...listed, main_wallet: "0xother" });
    expect(finding).toEqual({
      id: "passport passport.main_wallet disagreement",
      path: "passport.main_wallet",
      kind: "disagreement",
      expected: "as in the list",
      observed: "other",
      count: 1,
      of: 1,
      level: "notice",
    });
  });

  const calculated = ["score", "activity_score", "identity_score", "skills_score"];
  test.each(["passport_id", "main_wallet", "human_checkmark", "verified_wallets", ...calculated])(
    "checkAgreement compares %s, and a calculated field only of the same calculation",
    (field) => {
      const text = typeof passport[field] === "string" ? "0xother" : undefined;
      const flag = typeof passport[field] === "boolean" ? !passport[field] : undefined;
      const number = typeof passport[field] === "number" ? passport[field] + 1 : undefined;
      const other = text ?? flag ?? number ?? ["0xother"];
      const found = [`passport passport.${field} disagreement`];
      expect(disagreements({ [field]: other })).toEqual(found);
      const later = { [field]: other, last_calculated_at: "2020-01-01T00:00:00Z" };
      expect(disagreements(later)).toEqual(calculated.includes(field) ? [] : found);
    },
  );

  test("checkAgreement accepts wallets in another order", () => {
    const two = { ...passport, verified_wallets: ["0xa", "0xb"] };
    expect(disagreements({ verified_wallets: ["0xb", "0xa"] }, two)).toEqual([]);
    expect(disagreements({ verified_wallets: ["0xb", "0xc"] }, two)).toEqual([
      "passport passport.verified_wallets disagreement",
    ]);
  });

  test("checkAgreement ignores fields that have another type or cannot be compared", () => {
    const odd = { toString: 1, valueOf: 1 };
    for (const value of [null, 7, [], {}, odd, [odd], [[odd]]]) {
      const change = {
        main_wallet: value,
        verified_wallets: value,
        passport_id: String(passport.passport_id),
      };
      const single = {
        ...passport,
        main_wallet: structuredClone(value),
        verified_wallets: structuredClone(value),
      };
      expect(() =>
        validateBody("passport", { passport: single }, { clock, listed: { ...listed, ...change } }),
      ).not.toThrow();
      expect(disagreements(change, single)).toEqual([]);
    }
  });
});
