// docs/develop/contract.md maps V1's document to the code. These tests check both sides of that mapping.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { apiKeyHeader, endpoints } from "../../lib/contract/endpoints.ts";
import { gapIds, gaps } from "../../lib/contract/gaps.ts";
import { buildOpenApi } from "../../lib/contract/openapi.ts";
import { statuses } from "../../lib/contract/v1/api.ts";
import * as schemas from "../../lib/contract/v1/schemas.ts";

const root = join(import.meta.dirname, "../..");
const openApi = buildOpenApi();

type TableRow = { section: string; statement: string; names: string[]; tests: string[] };

const table: TableRow[] = readFileSync(join(root, "docs/develop/contract.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [section = "", statement = "", row = "", tests = ""] = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    return {
      section,
      statement,
      names: [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name)),
      tests: tests.split(" "),
    };
  });

type FieldSchema = {
  type?: string;
  format?: string;
  $ref?: string;
  items?: FieldSchema;
  description?: string;
  examples?: string[];
};

function typeName(field: FieldSchema): string {
  if (field.$ref) return field.$ref.slice(field.$ref.lastIndexOf("/") + 1);
  if (field.type === "array") return `${typeName(field.items ?? {})}[]`;
  return field.format ?? String(field.type);
}

/**
 * An item of the code: its section, words that its line contains, and the meaning that the line repeats in
 * full.
 */
type ContractItem = { name: string; section: string; words: string[]; meaning?: string | undefined };

function listFields(): ContractItem[] {
  return Object.entries(openApi.components.schemas).flatMap(([id, schema]) => {
    const section = String(schema["x-section"]);
    return Object.entries(schema.properties as Record<string, FieldSchema>).flatMap(([field, shape]) => [
      {
        name: `${id}.${field} ${typeName(shape)}`,
        section,
        words: [field],
        meaning: shape.description,
      },
      ...(shape.examples ?? []).map((value) => ({
        name: `${id}.${field} instance ${value}`,
        section,
        words: [`the value "${value}" occurs as an instance`],
      })),
    ]);
  });
}

function listEndpoints(): ContractItem[] {
  return Object.values(endpoints).flatMap(({ id, section, title, method, path, parameters, sortedBy }) => [
    { name: `endpoint ${id} ${method} ${path}`, section, words: [`${title}: ${method} {base_url}${path}`] },
    ...parameters.map(({ name, in: place, type, required, meaning }) => ({
      name: `endpoint ${id} ${place} ${name} ${type} ${required ? "required" : "optional"}`,
      section,
      words: [name, type],
      meaning,
    })),
    { name: `endpoint ${id} header ${apiKeyHeader} string optional`, section, words: ["string, optional"] },
    ...statuses.map(({ status, meaning }) =>
      status === 200
        ? { name: `endpoint ${id} 200 ${endpoints[id].body.meta()?.id}`, section, words: ["200: an object"] }
        : { name: `endpoint ${id} ${status}`, section, words: [`${status}: ${meaning}`] },
    ),
    ...(sortedBy
      ? [{ name: `endpoint ${id} sorted by ${sortedBy}`, section, words: ["sorted by score"] }]
      : []),
  ]);
}

const items: ContractItem[] = [
  ...listFields(),
  ...listEndpoints(),
  ...statuses.map(({ status, meaning }) => ({
    name: `status ${status}`,
    section: status === 200 ? "1" : "7",
    words: [String(status), meaning],
  })),
  ...gaps.map(({ id, section }) => ({
    name: `gap ${id}`,
    section,
    words: [id === "4.2-id" ? "disagree" : "not shown"],
  })),
  ...openApi.servers.map(({ url }) => ({ name: `openapi server ${url}`, section: "1", words: [url] })),
  ...Object.values(openApi.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, deprecated }) =>
      deprecated ? [{ name: `openapi ${operationId} deprecated`, section: "1", words: ["deprecated"] }] : [],
    ),
  ),
];

/** Whether the meaning is a complete clause: between punctuation marks, or at the end. */
const isCompleteClause = (statement: string, meaning: string) =>
  ["; ", '"'].some((before) => statement.includes(before + meaning)) &&
  (statement.endsWith(meaning) || ["; ", '"'].some((after) => statement.includes(meaning + after)));

describe("docs/develop/contract.md", () => {
  test("docs/develop/contract.md covers all nine sections of the document", () => {
    const sections = new Set(table.map(({ section }) => section.split(".")[0]));
    expect([...sections]).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  });

  test("docs/develop/contract.md lists only items that exist in the code", () => {
    const known = new Set(items.map(({ name }) => name));
    expect(table.flatMap(({ names }) => names).filter((name) => !known.has(name))).toEqual([]);
  });

  test("docs/develop/contract.md lists every item of the code", () => {
    const named = new Set(table.flatMap(({ names }) => names));
    expect(items.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });

  test("docs/develop/contract.md names at least one item and an existing test file in every line", () => {
    for (const { statement, names, tests } of table) {
      expect(names.length, statement).toBeGreaterThan(0);
      for (const name of tests) expect(existsSync(join(root, `test/${name}.test.ts`)), name).toBe(true);
    }
  });

  test.each(items)(
    "docs/develop/contract.md lists $name in its section, with the document's wording",
    ({ name, section, words, meaning }) => {
      const lines = table.filter((row) => row.section === section && row.names.includes(name));
      const matching = lines.filter(({ statement }) =>
        words.every((word) => statement.toLowerCase().includes(word.toLowerCase())),
      );
      expect(matching.length).toBeGreaterThan(0);
      if (meaning) expect(matching.some(({ statement }) => isCompleteClause(statement, meaning))).toBe(true);
    },
  );

  test("docs/develop/contract.md marks an item as not shown exactly where a gap exists", () => {
    const notShown = table.filter(({ statement }) => statement.endsWith("not shown"));
    expect(notShown.flatMap(({ names }) => names)).toEqual(
      gapIds.filter((id) => id !== "4.2-id").map((id) => `gap ${id}`),
    );
  });
});

type Body = Record<string, unknown>;
const schemaById = new Map(
  Object.values(schemas).map((schema) => [String(schema.meta()?.id), schema as z.ZodObject]),
);

/** A minimal value of a type named in the table. */
function sample(type: string): unknown {
  if (type.endsWith("[]")) return [sample(type.slice(0, -2))];
  const schema = openApi.components.schemas[type];
  if (schema) {
    const fields = Object.entries(schema.properties as Record<string, FieldSchema>);
    return Object.fromEntries(fields.map(([field, shape]) => [field, sample(typeName(shape))]));
  }
  return { string: "x", "date-time": "2026-11-15T00:00:00Z", number: 1.5, integer: 1, boolean: true }[type];
}

/** Values of other types. null is included, because the document does not allow null for any field. */
function invalidValues(type: string): unknown[] {
  const others: unknown[] = [null, "x", 1.5, true, [], {}, [null]];
  if (type === "date-time") others.push("2026-02-30T00:00:00Z", "2026-11-15T00:00:00", "2026-11-15", 1);
  const own: unknown[] = { string: ["x"], number: [1.5], boolean: [true] }[type] ?? [];
  // An empty array is valid for every array type.
  return others.filter(
    (value) => !own.includes(value) && !(type.endsWith("[]") && Array.isArray(value) && !value.length),
  );
}

describe("the schemas", () => {
  const fields = table
    .flatMap(({ names }) => names)
    .flatMap((name) => {
      const [, id, field, type] = /^([A-Z]\w+)\.(\w+) (?!instance )(\S+)$/.exec(name) ?? [];
      return id && field && type ? [{ id, field, type }] : [];
    });

  test.each(fields)("The schemas require $field of $id as $type", ({ id, field, type }) => {
    const schema = schemaById.get(id)!;
    const body = sample(id) as Body;
    expect(schema.safeParse(body).success).toBe(true);
    const { [field]: _left, ...without } = body;
    expect(schema.safeParse(without).success, "missing").toBe(false);
    for (const value of invalidValues(type)) {
      expect(schema.safeParse({ ...body, [field]: value }).success, JSON.stringify(value)).toBe(false);
    }
  });

  test("The schemas have merged and passport_socials only in the single passport", () => {
    expect(Object.keys(schemas.listedPassport.shape)).not.toContain("merged");
    expect(Object.keys(schemas.passport.shape)).toEqual([
      ...Object.keys(schemas.listedPassport.shape),
      "merged",
      "passport_socials",
    ]);
  });

  test("The schemas accept unlisted keys, any string value and any number, because the document does not restrict them", () => {
    for (const [id, schema] of schemaById) {
      expect(schema.safeParse({ ...(sample(id) as Body), unlisted: null }).success, id).toBe(true);
    }
    const credential = sample("Credential") as Body;
    for (const score of [-1, 0, 1e9, 0.1]) {
      expect(
        schemas.credential.safeParse({ ...credential, score, source: "", type: "", earned_at: "" }).success,
      ).toBe(true);
    }
  });

  test("The schemas belong to endpoints whose paths begin with /api/v1/", () => {
    for (const { path } of Object.values(endpoints)) expect(path).toMatch(/^\/api\/v1\//);
  });
});

describe("the paths of an endpoint row", () => {
  const leaves = (type: string, path: string): { path: string; type: string }[] => {
    if (type.endsWith("[]")) return leaves(type.slice(0, -2), `${path}[]`);
    const properties = openApi.components.schemas[type]?.properties as
      | Record<string, FieldSchema>
      | undefined;
    const own = { path, type };
    if (!properties) return [own];
    const prefix = path === "" ? "" : `${path}.`;
    return [
      own,
      ...Object.entries(properties).flatMap(([key, shape]) => leaves(typeName(shape), prefix + key)),
    ];
  };

  test.each(Object.values(endpoints))(
    "The paths of the endpoint row $id name its records, all of its timestamps and its sort field",
    (endpoint) => {
      const found = leaves(String(endpoints[endpoint.id].body.meta()?.id), "");
      const typeAt = (path: string) => found.find((leaf) => leaf.path === path)?.type;
      expect(["ListedPassport", "Passport", "Credential"]).toContain(typeAt(endpoint.records));
      const dated = found.filter(({ type }) => type === "date-time").map(({ path }) => path);
      expect([...endpoint.timestamps]).toEqual(dated);
      if (endpoint.sortedBy) expect(typeAt(endpoint.sortedBy)).toBe("number");
    },
  );
});
