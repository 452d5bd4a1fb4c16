// Single values and lists of the two versions, and responses of V2 against V2's own schema.

import { describe, expect, test } from "vitest";
import { readShape, type Schema } from "../../lib/mapping/v2-shape.ts";
import { compareBodies } from "../../lib/parity/compare.ts";
import { planParity } from "../../lib/parity/plan.ts";
import { findBreaches } from "../../lib/parity/shape.ts";
import type { CompareMode, FieldRow } from "../../lib/records/mapping.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";
import { fc } from "../random.ts";

/** The differences of one passport by V1's path. */
function compare(
  fields: Record<string, FieldRow>,
  passport: object,
  body: unknown,
  side: "raw" | "noise" = "raw",
) {
  const plan = planParity({ ...decidedMapping("http://v2"), fields });
  const v1 = new Map([["passport", { passport }]]);
  const other = side === "raw" ? new Map([["profile", body]]) : new Map([["passport", { passport: body }]]);
  const differences = compareBodies(plan[side], v1, other);
  return Object.fromEntries(
    plan.paths.map((path, slot) => [path.replace("passport.", ""), differences[slot]]),
  );
}
const same = (path: string, compareMode?: CompareMode): FieldRow => ({
  decision: "same",
  endpoint: "profile",
  path,
  ...(compareMode && { compare: compareMode }),
});

describe("a value of V1 and of V2", () => {
  const deep = { a: [1, { b: null }] };
  test.each<[CompareMode | undefined, unknown, unknown, string | undefined]>([
    [undefined, 1, 1, "equal"],
    [undefined, 1, 2, "value"],
    [undefined, 1, "1", "type"],
    [undefined, 1, undefined, "missing"],
    [undefined, 1, null, "type"],
    [undefined, null, null, "equal"],
    [undefined, null, undefined, "missing"],
    [undefined, null, {}, "type"],
    [undefined, undefined, 1, undefined],
    [undefined, deep, structuredClone(deep), "equal"],
    [undefined, deep, { a: [1, { b: 2 }] }, "value"],
    [undefined, [1], [1], "equal"],
    [undefined, [1], [1, 2], "size"],
    [undefined, [1, 2], [2, 1], "value"],
    [undefined, [], {}, "type"],
    ["value", 1, 2, "value"],
    ["type", 1, 2, "equal"],
    ["type", 1, "1", "type"],
    ["type", [1], [1, 2], "equal"],
    ["type", 1, undefined, "missing"],
    ["presence", 1, "x", "equal"],
    ["presence", 1, null, "missing"],
    ["presence", 1, undefined, "missing"],
    ["presence", null, null, "equal"],
  ])("Compared by %s, V1's %j and V2's %j are %s", (mode, left, right, expected) => {
    const passport = left === undefined ? {} : { score: left };
    const other = right === undefined ? {} : { score: right };
    const fields = { "passport.score": same("score", mode) };
    expect(compare(fields, passport, other).score).toBe(expected);
    expect(compare(fields, passport, other, "noise").score).toBe(expected);
  });

  test("Values of V1 and of V2 are not compared where a response has no body", () => {
    const plan = planParity({ ...decidedMapping("http://v2"), fields: { "passport.score": same("score") } });
    const passport = new Map([["passport", { passport: { score: 1 } }]]);
    expect(compareBodies(plan.raw, passport, new Map())).toEqual([]);
    expect(compareBodies(plan.raw, new Map(), new Map([["profile", { score: 1 }]]))).toEqual([]);
  });

  test("Values are transformed for V2 and not for V1's second read", () => {
    const fields: Record<string, FieldRow> = {
      "passport.score": {
        decision: "transformed",
        endpoint: "profile",
        path: "points",
        transform: "number-to-string",
      },
    };
    expect(compare(fields, { score: 7 }, { points: "7" }).score).toBe("equal");
    expect(compare(fields, { score: 7 }, { points: 7 }).score).toBe("type");
    expect(compare(fields, { score: 7 }, { score: 7 }, "noise").score).toBe("equal");
    expect(compare(fields, { score: 7 }, { score: "7" }, "noise").score).toBe("type");
    // A missing value stays missing.
    expect(compare(fields, {}, { points: "7" }).score).toBeUndefined();
    expect(compare(fields, { score: 7 }, {}).score).toBe("missing");
  });

  test("A value may be a list on one side only", () => {
    const toScalar: FieldRow = {
      decision: "transformed",
      endpoint: "profile",
      path: "wallet",
      transform: "array-to-scalar",
    };
    const wallets = { "passport.verified_wallets[]": toScalar };
    expect(compare(wallets, { verified_wallets: ["a"] }, { wallet: "a" })).toMatchObject({
      "verified_wallets[]": "equal",
    });
    expect(compare(wallets, { verified_wallets: ["a"] }, { wallet: "b" })["verified_wallets[]"]).toBe(
      "value",
    );
    expect(compare(wallets, { verified_wallets: ["a", "b"] }, { wallet: "a" })["verified_wallets[]"]).toBe(
      "type",
    );
    // Without a transform there is nothing to compare, which is counted as insufficient.
    const untransformed = { "passport.verified_wallets[]": same("wallet") };
    expect(compare(untransformed, { verified_wallets: ["a"] }, { wallet: "a" })).toMatchObject({
      "verified_wallets[]": undefined,
    });
    const toList: FieldRow = {
      decision: "transformed",
      endpoint: "profile",
      path: "accounts[source=wallet].id",
      transform: "scalar-to-array",
    };
    const accounts = [
      { source: "email", id: "x" },
      { source: "wallet", id: "a" },
    ];
    const main = { "passport.main_wallet": toList };
    expect(compare(main, { main_wallet: "a" }, { accounts }).main_wallet).toBe("equal");
    expect(compare(main, { main_wallet: "b" }, { accounts }).main_wallet).toBe("value");
    expect(compare(main, { main_wallet: "a" }, { accounts: [] }).main_wallet).toBe("size");
    expect(compare(main, { main_wallet: "a" }, {}).main_wallet).toBe("missing");
  });
});

describe("a list of V1 and of V2", () => {
  const tags = { "passport.passport_profile.tags[]": same("tags[]") };
  test.each<[unknown, unknown, string | undefined]>([
    [["a", "b"], ["a", "b"], "equal"],
    [["a", "b"], ["b", "a"], "order"],
    [["a", "a", "b"], ["b", "a", "a"], "order"],
    [["a", "b"], ["a", "c"], "value"],
    [["a", "b"], ["a", 1], "type"],
    [["a"], ["a", "b"], "size"],
    [["a", "b"], ["a"], "size"],
    [[], [], "equal"],
    [[], ["a"], "size"],
    [["a"], "a", "type"],
    [["a"], null, "type"],
    [["a"], undefined, "missing"],
    [undefined, ["a"], undefined],
    ["a", ["a"], undefined],
  ])("The list %j of V1 and the list %j of V2 are %s", (left, right, expected) => {
    const body = right === undefined ? {} : { tags: right };
    const differences = compare(tags, { passport_profile: { tags: left } }, body);
    expect(differences["passport_profile.tags[]"]).toBe(expected);
  });

  const socials = (mode?: CompareMode) => ({
    "passport.passport_socials[].source": same("socials[].source"),
    "passport.passport_socials[].profile_name": same("socials[].name"),
    "passport.passport_socials[].location": same("socials[].location", mode),
  });
  const v1 = (...rows: [string, string, unknown?][]) => ({
    passport_socials: rows.map(([source, profile_name, location = "x"]) => ({
      source,
      profile_name,
      location,
    })),
  });
  const v2 = (...rows: [string, string, unknown?][]) => ({
    socials: rows.map(([source, name, location = "x"]) => ({ source, name, location })),
  });
  const differing = (left: object, right: unknown, mode?: CompareMode) =>
    Object.fromEntries(
      Object.entries(compare(socials(mode), left, right)).filter(
        ([, kind]) => kind !== undefined && kind !== "equal",
      ),
    );
  const list = "passport_socials[]";

  test("A list of V1 and of V2 has a slot for itself and one for each field", () => {
    expect(compare(socials(), v1(["github", "a"]), v2(["github", "a"]))).toEqual({
      [list]: "equal",
      [`${list}.source`]: "equal",
      [`${list}.profile_name`]: "equal",
      [`${list}.location`]: "equal",
      "(profile)": undefined,
    });
    expect(compare(socials(), v1(), v2())).toMatchObject({ [list]: "equal", [`${list}.source`]: undefined });
  });

  test("A list of V1 and of V2 has a difference where one record differs, the first one counts", () => {
    const left = v1(["a", "1"], ["b", "2"], ["c", "3"]);
    expect(differing(left, v2(["a", "1"], ["b", "9"], ["c", "3"]))).toEqual({
      [`${list}.profile_name`]: "value",
    });
    expect(differing(left, v2(["a", "1"], ["b", "2", null], ["c", "3", "y"]))).toEqual({
      [`${list}.location`]: "type",
    });
  });

  test("A list of V1 and of V2 is compared record by record after its order has changed", () => {
    const left = v1(["a", "1"], ["b", "2"], ["c", "3"]);
    expect(differing(left, v2(["c", "3"], ["b", "2"], ["a", "1"]))).toEqual({ [list]: "order" });
    expect(differing(left, v2(["c", "3", "y"], ["b", "2"], ["a", "1"]))).toEqual({
      [list]: "order",
      [`${list}.location`]: "value",
    });
    // Names that have moved to other sources are no other order of the records.
    expect(differing(left, v2(["a", "2"], ["b", "1"], ["c", "3"]))).toEqual({
      [`${list}.profile_name`]: "order",
    });
    expect(differing(left, v2(["a", "7"], ["b", "8"], ["c", "9"]))).toEqual({
      [`${list}.profile_name`]: "value",
    });
  });

  test("A list of V1 and of V2 needs no equal values in a field that is compared by its type only", () => {
    const left = v1(["a", "1", "x"], ["b", "2", "y"]);
    expect(differing(left, v2(["a", "1", "p"], ["b", "2", "q"]), "type")).toEqual({});
    expect(differing(left, v2(["b", "2", "p"], ["a", "1", "q"]), "type")).toEqual({ [list]: "order" });
    expect(differing(v1(["a", "1", "x"], ["b", "2", 5]), v2(["a", "1", 5], ["b", "2", "x"]), "type")).toEqual(
      {
        [`${list}.location`]: "type",
      },
    );
    expect(differing(left, v2(["b", "2", 5], ["a", "1", "q"]), "type")).toEqual({
      [list]: "order",
      [`${list}.location`]: "type",
    });
  });

  test("A list of V1 and of V2 does not compare a field that no record of V1 has", () => {
    const left = { passport_socials: [{ source: "a" }, { source: "b", profile_name: "2" }] };
    const differences = compare(socials(), left, v2(["a", "1"], ["b", "2"]));
    expect(differences).toMatchObject({ [`${list}.profile_name`]: "equal", [`${list}.location`]: undefined });
  });
});

describe("V2's own schema", () => {
  const breachesOf = (schema: unknown, body: unknown, definitions: object = {}) => {
    const shape = readShape({ $defs: definitions, properties: {} });
    if (!shape) throw new Error("there is no shape");
    return findBreaches(shape, schema as Schema, body).map(({ path, kind }) => `${path} ${kind}`);
  };
  const value = (schema: unknown) => ({ properties: { a: schema } });

  test.each<[unknown, unknown, string[]]>([
    [{ type: "integer" }, 1, []],
    [{ type: "integer" }, 1.5, ["a type"]],
    [{ type: "number" }, 1, []],
    [{ type: "number" }, 1.5, []],
    [{ type: "number" }, "1", ["a type"]],
    [{ type: "null" }, null, []],
    [{ type: "object" }, null, ["a type"]],
    [{ type: "object", nullable: true }, null, []],
    [{ type: "object", nullable: false }, null, ["a type"]],
    [{ type: "object" }, [], ["a type"]],
    [{ type: "array" }, {}, ["a type"]],
    [{ type: "boolean" }, false, []],
    [{ type: ["string", "null"] }, 1, ["a type"]],
    [{ enum: ["x", { y: 1 }] }, { y: 1 }, []],
    [{ enum: ["x", { y: 1 }] }, { y: 2 }, ["a value"]],
    [{ enum: "x" }, "y", []],
    [{ const: 1 }, 1, []],
    [{ const: null }, 1, ["a value"]],
    [{ const: [1] }, [1], []],
    [false, 1, ["a value"]],
    [true, 1, []],
    [{ allOf: [{ type: "string" }, { enum: ["x"] }] }, "y", ["a value"]],
    [{ allOf: [{ required: ["b"] }, { required: ["c"] }] }, {}, ["a.b missing", "a.c missing"]],
    [{ oneOf: [{ type: "string" }, { type: "null" }] }, null, []],
    [{ oneOf: [{ type: "string" }, { type: "null" }] }, 1, ["a type"]],
    [{ anyOf: [{ required: ["b"] }, { required: ["c"] }] }, { c: 1 }, []],
    [{ anyOf: [{ required: ["b"] }, { required: ["c"] }] }, {}, ["a type"]],
    [{ items: { items: { type: "string" } } }, [["x"], [1]], ["a[][] type"]],
    [{ items: { required: ["b"] } }, [{}, {}], ["a[].b missing"]],
    [{ additionalProperties: false, properties: { b: {} } }, { b: 1 }, []],
    [{ additionalProperties: false, properties: { b: {} } }, { b: 1, c: 1 }, ["a unlisted"]],
    [{ additionalProperties: false }, { b: 1 }, ["a unlisted"]],
    [{ additionalProperties: true, properties: { b: {} } }, { c: 1 }, []],
    [{ properties: { toString: { type: "string" } } }, {}, []],
    [{ required: ["toString"] }, {}, ["a.toString missing"]],
    [{ $ref: "#/$defs/none" }, 1, []],
  ])("V2's own schema %j finds in the value %j: %j", (schema, given, expected) => {
    expect(breachesOf(value(schema), { a: given })).toEqual(expected);
  });

  test("V2's own schema applies to the whole body as well", () => {
    expect(breachesOf({ additionalProperties: false }, { secret: 1 })).toEqual(["(body) unlisted"]);
    expect(breachesOf({ items: { type: "string" } }, [1])).toEqual(["[] type"]);
  });

  test("V2's own schema is followed to a depth of 100, and reports 50 violations at most", () => {
    const definitions = { node: { properties: { id: { type: "string" }, next: { $ref: "#/$defs/node" } } } };
    const nest = (depth: number): object => (depth === 0 ? { id: 1 } : { next: nest(depth - 1) });
    const deep = (depth: number) => breachesOf({ $ref: "#/$defs/node" }, nest(depth), definitions);
    expect(deep(99)).toHaveLength(1);
    expect(deep(100)).toEqual([]);
    const names = Array.from({ length: 51 }, (_, number) => `n${number}`);
    expect(breachesOf({ required: names }, {})).toEqual(names.slice(0, 50).map((name) => `${name} missing`));
  });
});

describe("compareBodies", () => {
  const plan = planParity(decidedMapping("http://v2"));
  const social = (name: string, followers: unknown, location: unknown = "x") => ({
    v1: { profile_name: name, follower_count: String(followers), location },
    v2: { name, followers_count: followers, location },
  });
  const compare = (v1: unknown[] | undefined, v2: unknown) => {
    const differences = compareBodies(
      plan.raw,
      new Map([["passport", { passport: { passport_socials: v1 } }]]),
      new Map([["socials", { socials: v2 }]]),
    );
    return Object.fromEntries(
      plan.paths.flatMap((path, slot) => {
        const kind = differences[slot];
        return kind === undefined || kind === "equal"
          ? []
          : [[path.replace("passport.passport_socials", ""), kind]];
      }),
    );
  };
  const [a, b, c] = [social("a", 1), social("b", 2), social("c", 3)];

  test("compareBodies finds no difference between equal lists and does not compare a list that V1 lacks", () => {
    expect(compare([a.v1, b.v1], [a.v2, b.v2])).toEqual({});
    expect(compare(undefined, [a.v2])).toEqual({});
  });

  test("compareBodies reports a different length, a missing list and a different type once, for the list", () => {
    expect(compare([a.v1, b.v1], [a.v2])).toEqual({ "[]": "size" });
    expect(compare([a.v1], undefined)).toEqual({ "[]": "missing" });
    expect(compare([a.v1], "none")).toEqual({ "[]": "type" });
  });

  test("compareBodies reports a different order once for the list, not for each field", () => {
    expect(compare([a.v1, b.v1, c.v1], [c.v2, a.v2, b.v2])).toEqual({ "[]": "order" });
  });

  test("compareBodies finds a changed field in its own record of a reordered list", () => {
    const changed = { ...b.v2, followers_count: 99 };
    expect(compare([a.v1, b.v1, c.v1], [c.v2, changed, a.v2])).toEqual({
      "[]": "order",
      "[].follower_count": "value",
    });
    const retyped = { ...a.v2, followers_count: "1" };
    expect(compare([a.v1, b.v1, c.v1], [c.v2, b.v2, retyped])).toEqual({
      "[]": "order",
      "[].follower_count": "type",
    });
    expect(compare([a.v1, b.v1], [a.v2, { ...b.v2, followers_count: "2" }])).toEqual({
      "[].follower_count": "type",
    });
    expect(compare([a.v1, b.v1], [a.v2, { ...b.v2, location: null }])).toEqual({ "[].location": "type" });
  });

  test("compareBodies reports values that moved between records as a different order of the field", () => {
    const [x, y] = [social("a", 1, "here"), social("b", 2, "there")];
    expect(
      compare(
        [x.v1, y.v1],
        [
          { ...x.v2, location: "there" },
          { ...y.v2, location: "here" },
        ],
      ),
    ).toEqual({
      "[].location": "order",
    });
  });

  test("compareBodies does not throw for arbitrary bodies", () => {
    const any = fc.jsonValue({ maxDepth: 4 });
    const lists = fc.array(fc.record({ name: any, followers_count: any }));
    fc.assert(
      fc.property(any, fc.oneof(any, fc.record({ socials: fc.oneof(any, lists) })), (left, right) => {
        const all = (body: unknown) =>
          new Map([...plan.v1Endpoints, ...plan.v2Endpoints].map((name) => [name, body]));
        compareBodies(plan.raw, all(left), all(right));
        for (const kind of compareBodies(plan.noise, all(left), all(left)))
          expect([undefined, "equal"]).toContain(kind);
      }),
    );
  });
});

describe("findBreaches", () => {
  const shape = readShape({
    $defs: {
      profile: {
        type: "object",
        required: ["profile"],
        properties: { profile: { $ref: "#/$defs/person" } },
      },
      person: {
        type: "object",
        required: ["id", "bio"],
        additionalProperties: false,
        properties: {
          id: { type: "string" },
          bio: { type: ["string", "null"] },
          points: { anyOf: [{ type: "integer" }, { type: "null" }] },
          kind: { enum: ["a", "b"] },
          old: { type: "string", nullable: true },
          tags: { type: "array", items: { type: "string" } },
          parent: { $ref: "#/$defs/person" },
        },
      },
      loop: { anyOf: [{ $ref: "#/$defs/loop" }] },
    },
  });
  if (!shape) throw new Error("no shape");
  const endpoint = { path: "/profile" };
  const breaches = (body: unknown, name = "profile") =>
    findBreaches(shape, shape.schemaOf(name, endpoint) ?? {}, body).map(
      ({ path, kind }) => `${path} ${kind}`,
    );

  test("findBreaches finds no violation in a valid response", () => {
    const profile = { id: "x", bio: null, points: null, kind: "a", old: null, tags: ["t"] };
    expect(breaches({ profile: { ...profile, parent: profile }, more: 1 })).toEqual([]);
  });

  test("findBreaches reports violations by path and kind, never by key or value of the response", () => {
    expect(breaches([])).toEqual(["(body) type"]);
    expect(breaches({})).toEqual(["profile missing"]);
    const profile = {
      id: 7,
      points: "ten",
      kind: "c",
      tags: ["t", 8, 9],
      "0xsecret": 1,
      parent: { id: "y" },
    };
    expect(breaches({ profile })).toEqual([
      "profile.bio missing",
      "profile.id type",
      "profile.points type",
      "profile.kind value",
      "profile.tags[] type",
      "profile.parent.bio missing",
      "profile unlisted",
    ]);
  });

  test("findBreaches terminates on a schema that only references itself", () => {
    expect(breaches({}, "loop")).toEqual([]);
  });
});
