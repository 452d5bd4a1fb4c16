import { describe, expect, test } from "vitest";
import { mistakesText } from "../../lib/config/config.ts";
import { buildOpenApi } from "../../lib/contract/openapi.ts";
import { computeCoverage } from "../../lib/mapping/coverage.ts";
import { behaviours, v1Fields } from "../../lib/mapping/fields.ts";
import { loadMapping, mappingJsonSchema } from "../../lib/mapping/mapping.ts";
import { createStarter, mappingText } from "../../lib/mapping/starter.ts";
import { createNormalizer, itemsAt, memberAt, splitAtList } from "../../lib/mapping/transform.ts";
import { type FieldRow, type Mapping, mapping } from "../../lib/records/mapping.ts";
import { fc } from "../random.ts";
import { now } from "./v2-mapping.ts";

const starter = createStarter(now);

/** The starter mapping as JSON, after `change` has edited a copy of it. */
function edit(change: (mapping: Record<string, never> & Mapping) => void): string {
  const copy = structuredClone(starter) as Record<string, never> & Mapping;
  change(copy);
  return JSON.stringify(copy);
}

function mistakesOf(text: string, shape?: unknown): string[] {
  const given = shape === undefined ? undefined : { text: JSON.stringify(shape), path: "v2.json" };
  const loaded = loadMapping(text, "m.json", given);
  return loaded.ok ? [] : loaded.mistakes.map(({ path, problem, remedy }) => `${path}: ${problem} ${remedy}`);
}

const row = (fields: Partial<Record<string, unknown>>) =>
  ({ decision: "moved", endpoint: "profile", path: "profile.bio", ...fields }) as unknown as FieldRow;

describe("v1Fields", () => {
  test("v1Fields lists every leaf field of the three response bodies in the contract", () => {
    const paths = v1Fields.map(({ path }) => path);
    expect(paths).toHaveLength(52);
    expect(new Set(paths).size).toBe(52);
    for (const path of [
      "passports[].passport_profile.tags[]",
      "pagination.total",
      "passport.score",
      "passport.passport_socials[].follower_count",
      "passport_credentials[].earned_at",
    ]) {
      expect(paths).toContain(path);
    }
    const names = new Set(
      Object.values(buildOpenApi().components.schemas).flatMap((schema) =>
        Object.entries(schema.properties as Record<string, { type?: string }>)
          .filter(([, { type }]) => type !== undefined && type !== "array")
          .map(([name]) => name),
      ),
    );
    for (const name of names)
      expect(
        paths.some((path) => path.endsWith(`.${name}`)),
        name,
      ).toBe(true);
  });
});

describe("createStarter", () => {
  test("createStarter creates a row for every field and behaviour, each unverified and with its source", () => {
    expect(Object.keys(starter.fields)).toEqual(v1Fields.map(({ path }) => path));
    expect(Object.keys(starter.behaviours)).toEqual(behaviours.map(({ id }) => id));
    for (const one of [...Object.values(starter.fields), ...Object.values(starter.behaviours)]) {
      expect(one).toMatchObject({ status: "unverified", source: "vendor's public documents and clients" });
    }
  });

  test("createStarter creates a valid mapping that is formatted with one row per line", () => {
    const text = mappingText(starter);
    expect(loadMapping(text)).toEqual({ ok: true, mapping: starter });
    expect(text.split("\n").filter((line) => line.includes('"decision":'))).toHaveLength(60);
    expect(mapping.parse(JSON.parse(text))).toEqual(starter);
  });

  test("The mapping of createStarter is not fully decided: drops have no owner, and unknown fields are undecided", () => {
    const { isDecided, counts, fields } = computeCoverage(starter, "2026-11-14");
    expect(isDecided).toBe(false);
    expect(counts.decided).toBe(0);
    const standing = (path: string) => fields.find((field) => field.path === path)?.standing;
    expect(standing("passport.score")).toBe("unverified");
    expect(standing("passport.merged")).toBe("unowned");
    expect(standing("passport.calculating_score")).toBe("undecided");
    expect(standing("pagination.total")).toBe("undecided");
  });
});

test("The schema of the mapping lists the names of fields and behaviours", () => {
  expect(JSON.stringify(mappingJsonSchema())).toContain('"passport.passport_socials[].follower_count"');
});

describe("loadMapping", () => {
  test("loadMapping suggests the correct V1 path for a misspelled one", () => {
    const text = edit(({ fields }) => {
      fields["passport.scor"] = row({});
      fields["passport.passport_socials[].folower_count"] = row({});
    });
    expect(mistakesOf(text)).toEqual([
      'fields["passport.passport_socials[].folower_count"]: there is no such V1 field. Did you mean passport.passport_socials[].follower_count?',
      'fields["passport.scor"]: there is no such V1 field. Did you mean passport.score?',
    ]);
  });

  test("loadMapping reports all mistakes at once, each with its path and a remedy", () => {
    const text = edit((mapping) => {
      mapping.v2.baseUrl = "v2.example.com";
      mapping.fields["passport.score"] = row({ decision: "movd" });
      mapping.fields["passport.main_wallet"] = row({ pathh: "x", path: undefined });
      mapping.fields["passport.merged"] = { decision: "dropped", owner: "ana" } as FieldRow;
      mapping.fields["passport.human_checkmark"] = row({ path: "profile..x" });
    });
    expect(mistakesOf(text)).toEqual([
      'fields["passport.human_checkmark"].path: a text of 10 characters is not a path in V2\'s response (such as "score.points", "socials[].name" or "accounts[source=wallet].id").',
      'fields["passport.main_wallet"].path: is missing. Give a path in V2\'s response (such as "score.points", "socials[].name" or "accounts[source=wallet].id").',
      'fields["passport.main_wallet"].pathh: there is no such setting. Did you mean path?',
      'fields["passport.merged"].expires: is missing. Give a day (such as "2027-03-31").',
      'fields["passport.merged"].reason: is missing. Give why it is dropped (a text of 1 to 400 characters).',
      'fields["passport.score"].decision: a text of 4 characters is not a decision (one of same, renamed, moved, transformed, dropped, undecided).',
      'v2.baseUrl: a text of 14 characters is not a web address (such as "https://v2.example.com", without a query).',
    ]);
  });

  test("loadMapping reports an unknown endpoint, an unknown variable and mismatched list nesting separately", () => {
    const text = edit((mapping) => {
      mapping.v2.endpoints.score = { path: "/score/{walet}" };
      mapping.fields["passport.human_checkmark"] = row({ endpoint: "profil" });
      mapping.fields["passport.passport_profile.tags[]"] = row({ path: "profile.tags" });
      mapping.fields["passport.main_wallet"] = row({ decision: "transformed", transform: "array-to-scalar" });
      mapping.behaviours.sorting = { decision: "same" };
    });
    expect(mistakesOf(text)).toEqual([
      "behaviours.sorting: there is no such behaviour of V1. Known here: unknown-id, id-form, wallet-as-id, key, unauthorized, pagination, sort, keyword.",
      'fields["passport.human_checkmark"].endpoint: there is no V2 endpoint "profil". Did you mean profile?',
      'fields["passport.main_wallet"].transform: array-to-scalar needs a list in V1, but V1\'s field is not in a list. Use another transform, or `moved`.',
      "fields[\"passport.passport_profile.tags[]\"].path: contains no list, but V1's field needs one list. Write [] after a list's name, or use array-to-scalar or scalar-to-array.",
      'v2.endpoints.score: "{walet}" is not a known variable. Use {passport_id} or {wallet}.',
    ]);
  });

  test("loadMapping rejects an API key in the file and does not print it", () => {
    const key = "sk_live_4f9a8b7c6d5e4f3a2b1c";
    const texts = [
      edit(({ v2 }) => Object.assign(v2, { key })),
      edit(({ v2 }) => Object.assign(v2, { apiKey: key })),
      edit(({ v2 }) => Object.assign(v2, { key: { env: key.toUpperCase().replaceAll("_", "") } })),
    ];
    for (const text of texts) {
      const loaded = loadMapping(text);
      expect(loaded.ok).toBe(false);
      const message = loaded.ok ? "" : mistakesText(loaded.mistakes, "mapping");
      expect(message.toLowerCase()).not.toContain("4f9a8b7c");
      expect(message).toMatch(/the mapping has 1 mistake\n {2}v2\./);
    }
  });

  test("loadMapping reports the line and column of a JSON syntax error", () => {
    expect(mistakesOf('{\n  "schema" 1\n}')).toEqual([
      "m.json: cannot be read as JSON (MISSING_CHAR). Look at line 2, column 12.",
    ]);
  });

  test("loadMapping returns a result and never throws for arbitrary JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 3 }), (any, some) => {
        for (const value of [
          any,
          { ...starter, v2: any },
          { ...starter, fields: { "passport.score": some } },
        ]) {
          expect(typeof loadMapping(JSON.stringify(value)).ok).toBe("boolean");
        }
      }),
      { numRuns: 200 },
    );
  });
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const openApiGet = (schema: unknown) => ({
  get: { responses: { 200: { content: { "application/json": { schema } } } } },
});
const openApi = {
  openapi: "3.0.3",
  paths: {
    "/profile": openApiGet({ type: "object", properties: { profile: ref("Profile") } }),
    "/score": openApiGet({ type: "object", properties: { score: { allOf: [ref("Points"), ref("Dated")] } } }),
    "/accounts": openApiGet({ properties: { accounts: { type: "array", items: ref("Account") } } }),
    "/socials": openApiGet({ properties: { socials: { type: "array", items: { type: "object" } } } }),
    "/credentials": openApiGet({}),
  },
  components: {
    schemas: {
      Profile: {
        type: "object",
        properties: {
          ...Object.fromEntries(
            ["id", "bio", "display_name", "location", "human_checkmark"].map((name) => [name, {}]),
          ),
          main_wallet_adress: { type: "string" },
          tags: { type: "array", items: { type: "string" } },
        },
      },
      Points: { type: "object", properties: { points: { type: "integer" } } },
      Dated: { type: "object", properties: { last_calculated_at: { type: "string" } } },
      Account: { type: "object", properties: { identifier: { type: "string" }, source: { type: "string" } } },
    },
  },
};

describe("loadMapping with V2's shape", () => {
  test("loadMapping with V2's shape reports mapped paths that an OpenAPI document lacks, through references and allOf", () => {
    const wrong = (path: string) =>
      `fields["${path}"].path: V2's shape has no "main_wallet_address" at this path. Did you mean main_wallet_adress?`;
    expect(mistakesOf(mappingText(starter), openApi)).toEqual([
      wrong("passport.main_wallet"),
      wrong("passports[].main_wallet"),
    ]);
  });

  test("loadMapping with V2's shape reports an endpoint that the document lacks and a list that is not an array", () => {
    const { "/credentials": _, ...paths } = openApi.paths;
    const accounts = openApiGet({ properties: { accounts: { type: "object", properties: {} } } });
    const message = mistakesOf(mappingText(starter), {
      ...openApi,
      paths: { ...paths, "/accounts": accounts },
    });
    expect(message).toContain(
      'v2.endpoints.credentials: V2\'s shape has no 200 response for "/credentials". Correct the path, or give a shape that has it.',
    );
    expect(message).toContain(
      'fields["passport.verified_wallets[]"].path: V2\'s shape has no "accounts[]" at this path. Did you mean accounts?',
    );
  });

  test("loadMapping with V2's shape accepts a JSON Schema with one definition for each endpoint", () => {
    const { Profile } = openApi.components.schemas;
    const profile = { type: "object", properties: { profile: { $ref: "#/$defs/person" } } };
    const $defs = { profile, person: Profile, score: {}, accounts: {}, socials: {}, credentials: {} };
    expect(mistakesOf(mappingText(starter), { $defs })).toHaveLength(2);
    expect(mistakesOf(mappingText(starter), { $defs: { ...$defs, profile: {} } })).toEqual([]);
  });

  test("loadMapping with V2's shape terminates on circular references and rejects unsupported documents", () => {
    const circle = {
      $defs: {
        profile: { $ref: "#/$defs/a" },
        a: { allOf: [{ $ref: "#/$defs/a" }] },
        socials: { $ref: "#/$defs/socials" },
      },
    };
    expect(mistakesOf(mappingText(starter), circle).join()).toContain("v2.endpoints.score");
    expect(mistakesOf(mappingText(starter), { swagger: "2.0" })).toEqual([
      "v2.json: is not a supported schema document. Give OpenAPI 3, or a JSON Schema with one definition for each endpoint.",
    ]);
  });
});

describe("computeCoverage", () => {
  const dropped = { decision: "dropped", owner: "ana", reason: "unused", expires: "2026-12-31" } as const;
  const decide = (change: Record<string, FieldRow | undefined>): Mapping => {
    const fields = Object.fromEntries(
      v1Fields
        .map(({ path }) => [path, change[path] ?? dropped] as const)
        .filter(([path]) => !(path in change) || change[path]),
    );
    const same = Object.fromEntries(behaviours.map(({ id }) => [id, { decision: "same" as const }]));
    return { ...starter, fields, behaviours: same };
  };

  test("computeCoverage says decided if every row is decided", () => {
    expect(computeCoverage(decide({}), "2026-12-31")).toMatchObject({
      isDecided: true,
      counts: { decided: 60 },
    });
  });

  test("computeCoverage counts a drop as valid on its expiry day and as expired on the day after", () => {
    expect(computeCoverage(decide({}), "2027-01-01")).toMatchObject({
      isDecided: false,
      counts: { expired: 52 },
    });
  });

  test("computeCoverage counts a field without a row as undecided", () => {
    const { isDecided, fields } = computeCoverage(decide({ "passport.score": undefined }), "2026-12-01");
    expect(isDecided).toBe(false);
    expect(fields.filter(({ standing }) => standing === "undecided").map(({ path }) => path)).toEqual([
      "passport.score",
    ]);
  });
});

describe("itemsAt and memberAt", () => {
  const body = { accounts: [{ source: "wallet", id: 1 }, { source: "other", id: 2 }, null], a: { b: null } };

  test("itemsAt and memberAt return only the list items that match the path's filter", () => {
    const wallets = splitAtList("accounts[source=wallet].id");
    expect(wallets && itemsAt(body, wallets)?.map((item) => memberAt(item, wallets.item))).toEqual([1]);
    const all = splitAtList("accounts[].id");
    expect(all && itemsAt(body, all)).toHaveLength(3);
  });

  test("itemsAt and memberAt do not return inherited properties", () => {
    for (const name of ["constructor", "__proto__", "toString"])
      expect(memberAt(body, [name])).toBeUndefined();
    expect(memberAt(body, ["a", "b", "c"])).toBeUndefined();
  });
});

describe("createNormalizer", () => {
  const agree = (transform: Parameters<typeof createNormalizer>[0], v1: unknown, v2: unknown) => {
    const normalizer = createNormalizer(transform);
    return JSON.stringify(normalizer.v1(v1)) === JSON.stringify(normalizer.v2(v2));
  };

  test.each([
    ["number-to-string", 12, "12", true],
    ["number-to-string", 12, 12, false],
    ["string-to-number", "12", 12, true],
    // Recordings contain a number where V1's document says string.
    ["string-to-number", 12, 12, true],
    ["string-to-number", "many", 12, false],
    ["array-to-scalar", ["a"], "a", true],
    ["array-to-scalar", [], null, true],
    ["array-to-scalar", ["a", "b"], "a", false],
    ["scalar-to-array", "a", ["a"], true],
    ["scalar-to-array", null, [], true],
    [{ values: { Activity: "a", "1": true } }, "Activity", "a", true],
    [{ values: { Activity: "a", "1": true } }, 1, true, true],
    [{ values: { Activity: "a" } }, "Other", "Other", true],
    [{ dates: { from: "iso", to: "unix-seconds" } }, "2024-10-01T12:35:50.602Z", 1_727_786_150, true],
    [{ dates: { from: "iso", to: "iso-seconds" } }, "2024-10-01T12:35:50.602Z", "2024-10-01T12:35:50Z", true],
    [{ dates: { from: "iso", to: "iso" } }, "2024-10-01T12:35:50.602Z", "2024-10-01T12:35:50Z", false],
    [{ dates: { from: "iso", to: "iso" } }, "2024-10-01T12:35:50Z", "2024-10-01T14:35:50+02:00", true],
    [{ dates: { from: "iso", to: "date" } }, "2024-10-01T12:35:50Z", "2024-10-01", true],
    [{ dates: { from: "iso", to: "date" } }, "2024-10-01T12:35:50Z", "2024-10-02", false],
    [{ dates: { from: "iso", to: "unix-seconds" } }, "yesterday", 1_727_786_150, false],
  ] as const)("The transform %o makes V1's %o equal to V2's %o: %s", (transform, v1, v2, expected) => {
    expect(agree(transform as Parameters<typeof createNormalizer>[0], v1, v2)).toBe(expected);
  });
});
