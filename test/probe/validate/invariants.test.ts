// What V1's document promises beyond types.
import { describe, expect, test } from "vitest";
import {
  checkAgreement,
  checkKeyword,
  checkOrder,
  checkPagination,
} from "../../../lib/probe/validate/invariants.ts";
import { analyseBody } from "../../../lib/probe/validate/validate-body.ts";
import { type Body, bodyOf, clock, idsOf } from "./bodies.ts";

const scores = (...values: unknown[]) => values.map((score) => ({ score }));

describe("the list is sorted by score", () => {
  test.each<[string, unknown[], string]>([
    ["falling", [9, 5, 5, 1], "descending"],
    ["rising", [1, 5, 5, 9], "ascending"],
    ["the same", [3, 3, 3], "flat"],
    ["both ways", [9, 1, 5], "unsorted"],
    ["one record", [9], "unknown"],
    ["none", [], "unknown"],
    ["falling around what is no number", [9, null, "10", 5, undefined, 1], "descending"],
    ["falling from infinity", [Number.POSITIVE_INFINITY, 5, -0, 0], "descending"],
  ])("%s", (_, values, direction) => {
    const order = checkOrder(scores(...values));
    expect(order.direction).toBe(direction);
    // The document does not say which way, so either way keeps its promise.
    expect(order.finding !== undefined).toBe(direction === "unsorted");
  });

  test("one record out of place is one of the pairs, whichever way the rest runs", () => {
    expect(checkOrder(scores(9, 8, 10, 7, 6)).finding).toMatchObject({ count: 1, of: 4, level: "breaking" });
    expect(checkOrder(scores(6, 7, 10, 8, 9)).finding).toMatchObject({ count: 1, of: 4 });
  });
});

describe("the keyword filters by name", () => {
  const named = (...names: unknown[]) =>
    names.map((display_name) => ({ passport_profile: { display_name } }));

  test("in any letter case, and what has no name is not judged", () => {
    expect(checkKeyword(named("Ana", "jANA", null, 7, undefined), "an")).toBeUndefined();
    expect(checkKeyword([{}, { passport_profile: null }, { passport_profile: [] }], "an")).toBeUndefined();
    expect(checkKeyword([], "an")).toBeUndefined();
  });

  test("other names are counted, and neither they nor the keyword are told", () => {
    const finding = checkKeyword(named("Ana", "Bob", "Eve", null), "an");
    expect(finding).toMatchObject({
      id: "passport-list passports[].passport_profile.display_name filter",
      count: 2,
      of: 3,
    });
    expect(JSON.stringify(finding)).not.toMatch(/Bob|Eve|Ana/);
  });
});

describe("pagination adds up", () => {
  const page = (current_page: unknown, last_page: unknown, total: unknown, records: number) => ({
    passports: Array(records).fill({}),
    pagination: { current_page, last_page, total },
  });

  test.each<[string, Body]>([
    ["a full first page", page(1, 20, 500, 25)],
    ["a full first page with a short last one", page(1, 21, 501, 25)],
    ["a short last page", page(21, 21, 501, 1)],
    ["one page", page(1, 1, 3, 3)],
    ["nobody, one page", page(1, 1, 0, 0)],
    ["nobody, no page", page(1, 0, 0, 0)],
    ["past the end", page(99, 20, 500, 0)],
    ["numbers of another type", page("1", 20, 500, 25)],
    ["no list", { pagination: { current_page: 1, last_page: 2, total: 3 } }],
    ["no pagination", { passports: [] }],
  ])("%s is fine, or somebody else's finding", (_, body) => {
    expect(checkPagination(body)).toBeUndefined();
  });

  test.each<[string, Body, string]>([
    ["page 0", page(0, 20, 500, 25), "a negative or zero number"],
    ["a negative total", page(1, 20, -1, 0), "a negative or zero number"],
    ["more records than there are", page(1, 1, 3, 4), "more records than the total"],
    ["an empty page in the middle", page(2, 20, 500, 0), "an empty page before the last"],
    ["records past the last page", page(21, 20, 500, 25), "records past the last page"],
    ["a wrong last page", page(1, 3, 500, 25), "a last page that does not follow"],
    ["a wrong total", page(1, 1, 500, 25), "a total that is not the records"],
  ])("%s is a finding", (_, body, observed) => {
    expect(checkPagination(body)).toMatchObject({ kind: "pagination", level: "breaking", observed });
  });

  test("records that are null still fill their page", () => {
    const body = structuredClone(bodyOf("passport-list"));
    body.passports.fill(null);
    expect(idsOf("passport-list", body)).toEqual(["passport-list passports[] null"]);
  });
});

describe("a passport is the same in the list and alone", () => {
  const { passport } = bodyOf("passport");
  const listed = bodyOf("passport-list").passports[0];
  const disagreements = (change: Body, here: Body = passport) =>
    checkAgreement({ passport: here }, { ...listed, ...change }).map(({ id }) => id);

  test("as the simulator shows it", () => {
    expect(disagreements({})).toEqual([]);
    expect(checkAgreement({ passport: null }, listed)).toEqual([]);
  });

  test("a field that differs is named, without its values, and as a notice", () => {
    const [finding] = checkAgreement({ passport }, { ...listed, main_wallet: "0xother" });
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

  test("scores may differ after a recalculation, and only then", () => {
    expect(disagreements({ score: listed.score + 1 })).toEqual(["passport passport.score disagreement"]);
    expect(disagreements({ score: listed.score + 1, last_calculated_at: "2020-01-01T00:00:00Z" })).toEqual(
      [],
    );
  });

  test("wallets may come in another order", () => {
    const two = { ...passport, verified_wallets: ["0xa", "0xb"] };
    expect(disagreements({ verified_wallets: ["0xb", "0xa"] }, two)).toEqual([]);
    expect(disagreements({ verified_wallets: ["0xb", "0xc"] }, two)).toEqual([
      "passport passport.verified_wallets disagreement",
    ]);
  });

  test("what has another type or cannot be compared is left to the other findings", () => {
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
        analyseBody("passport", { passport: single }, { clock, listed: { ...listed, ...change } }),
      ).not.toThrow();
      expect(disagreements(change, single)).toEqual([]);
    }
  });
});
