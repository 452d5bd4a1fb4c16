import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { describe, expect, test } from "vitest";
import type { Io } from "../../lib/commands/command.ts";
import { runCommand } from "../../lib/commands/index.ts";
import { endpoints } from "../../lib/contract/endpoints.ts";
import { gapIds } from "../../lib/contract/gaps.ts";
import { buildOpenApi } from "../../lib/contract/openapi.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

// The one that checks Schema Objects too; it comes with the package, nothing is fetched.
const metaSchema = "https://spec.openapis.org/oas/3.1/schema-base";
const printed = () => JSON.parse(JSON.stringify(buildOpenApi())) as JsonObject;

function* nodes(value: Json, path = ""): Generator<{ path: string; node: JsonObject }> {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) yield { path, node: value };
  for (const [key, child] of Object.entries(value)) yield* nodes(child, `${path}/${key}`);
}

function resolve(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const key of pointer.replace("#/", "").split("/")) {
    value = (value as JsonObject | undefined)?.[key.replaceAll("~1", "/")];
  }
  return value;
}

const at = (document: Json, pointer: string) => resolve(document, pointer) as JsonObject;
const list = "#/paths/~1api~1v1~1passports/get";

function operations(document: JsonObject): JsonObject[] {
  return Object.values(document.paths as JsonObject).map((item) => (item as JsonObject).get as JsonObject);
}

describe("the OpenAPI document", () => {
  test("is valid against the 3.1 meta-schema", async () => {
    expect(await validate(metaSchema, printed(), "BASIC")).toEqual({ valid: true });
  });

  test.each<[string, (document: JsonObject) => void]>([
    [
      "a response without a description",
      (document) => delete at(document, `${list}/responses/401`).description,
    ],
    [
      "an unknown place of a parameter",
      (document) => Object.assign(at(document, `${list}/parameters/0`), { in: "body" }),
    ],
    [
      "a type that JSON Schema does not know",
      (document) =>
        Object.assign(at(document, "#/components/schemas/Credential/properties/score"), { type: "float" }),
    ],
  ])("is refused by the meta-schema with %s", async (_what, spoil) => {
    const document = printed();
    spoil(document);
    expect((await validate(metaSchema, document)).valid).toBe(false);
  });

  test("has one deprecated GET for each endpoint row and nothing else", () => {
    const document = printed();
    expect(Object.keys(document.paths as JsonObject)).toEqual(
      Object.values(endpoints).map(({ path }) => path),
    );
    for (const item of Object.values(document.paths as JsonObject))
      expect(Object.keys(item as JsonObject)).toEqual(["get"]);
    expect(operations(document).map(({ deprecated }) => deprecated)).toEqual([true, true, true]);
    expect(operations(document).every((operation) => operation.requestBody === undefined)).toBe(true);
  });

  test("answers 200 with the endpoint's body and 401 with no body that the document never showed", () => {
    for (const { responses } of operations(printed())) {
      expect(Object.keys(responses as JsonObject)).toEqual(["200", "401"]);
      expect(resolve(responses as JsonObject, "#/401")).toEqual({
        description: "unauthorized request",
        "x-gap": "7-error-body",
      });
    }
  });

  test("takes the key as an optional header on every operation and never says what its absence does", () => {
    const document = printed();
    for (const { parameters } of operations(document)) {
      expect(parameters).toContainEqual({ $ref: "#/components/parameters/ApiKey" });
    }
    expect(resolve(document, "#/components/parameters/ApiKey")).toMatchObject({
      name: "X-API-KEY",
      in: "header",
      required: false,
      schema: { type: "string" },
    });
    expect([...nodes(document)].some(({ node }) => "security" in node || "securitySchemes" in node)).toBe(
      false,
    );
  });

  test("keeps the contradiction of section 4.2: typed integer, described as either", () => {
    expect(at(printed(), "#/paths/~1api~1v1~1passports~1{id}/get/parameters/0")).toEqual({
      name: "id",
      in: "path",
      required: true,
      description: "passport id or wallet address",
      schema: { type: "integer" },
      "x-gap": "4.2-id",
    });
  });

  test("points only at components that exist", () => {
    const document = printed();
    const pointers = [...nodes(document)].flatMap(({ node }) =>
      typeof node.$ref === "string" ? [node.$ref] : [],
    );
    expect(pointers.length).toBeGreaterThan(10);
    for (const pointer of pointers) expect(resolve(document, pointer), pointer).toBeTypeOf("object");
  });

  test("says nothing about ranges, patterns, closed objects, closed sets or nulls", () => {
    const unsaid = [
      "minimum",
      "maximum",
      "pattern",
      "additionalProperties",
      "enum",
      "const",
      "nullable",
      "anyOf",
      "$id",
    ];
    const schemas = resolve(printed(), "#/components/schemas") as JsonObject;
    // A field may be called `pattern`; a schema's own keys are those beside its type.
    const said = [...nodes(schemas)].filter(({ node }) => typeof node.type === "string");
    expect(said.length).toBeGreaterThan(40);
    for (const { path, node } of said)
      expect([path, unsaid.filter((key) => key in node)]).toEqual([path, []]);
  });

  test("lists every gap once, and each x-gap names one of them", () => {
    const document = printed();
    expect((document["x-gaps"] as JsonObject[]).map(({ id }) => id)).toEqual([...gapIds]);
    const named = [...nodes(document)].flatMap(({ node }) => ("x-gap" in node ? [node["x-gap"]] : []));
    expect(named.filter((id) => !gapIds.some((known) => known === id))).toEqual([]);
  });
});

describe("v1watch openapi", () => {
  test("prints the document and nothing else", async () => {
    const { code, out, err } = await run(["openapi"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toEqual(printed());
  });

  test("writes it to a file with --out", async () => {
    const folder = await mkdtemp(join(tmpdir(), "v1watch-openapi-"));
    try {
      const file = join(folder, "v1.json");
      expect(await run(["openapi", "--out", file])).toEqual({ code: 0, out: "", err: "" });
      expect(JSON.parse(await readFile(file, "utf8"))).toEqual(printed());
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("a file that cannot be written is one clear line and exit 2", async () => {
    const { code, out, err } = await run([
      "openapi",
      "--out",
      join(tmpdir(), "no-such-folder-of-v1watch", "v1.json"),
    ]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(
      /^v1watch: cannot write ".*": its folder does not exist\. Create the folder first\n$/,
    );
  });
});

async function run(args: string[]) {
  let out = "";
  let err = "";
  const io: Io = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    stdin: async () => new Uint8Array(),
    env: {},
    isTerminal: false,
    signal: new AbortController().signal,
  };
  return { code: await runCommand(args, io), out, err };
}
