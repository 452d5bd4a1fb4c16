import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../lib/contract/endpoints.ts";
import { gapIds } from "../../lib/contract/gaps.ts";
import { buildOpenApi } from "../../lib/contract/openapi.ts";
import { run } from "../commands/terminal.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

// This meta-schema also validates Schema Objects. It is part of the package, so nothing is downloaded.
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
  test("The OpenAPI document is valid against the 3.1 meta-schema", async () => {
    expect(await validate(metaSchema, printed(), "BASIC")).toEqual({ valid: true });
  });

  test.each<[string, (document: JsonObject) => void]>([
    [
      "a response without a description",
      (document) => delete at(document, `${list}/responses/401`).description,
    ],
    [
      "an unknown location of a parameter",
      (document) => Object.assign(at(document, `${list}/parameters/0`), { in: "body" }),
    ],
    [
      "a type that JSON Schema does not know",
      (document) =>
        Object.assign(at(document, "#/components/schemas/Credential/properties/score"), { type: "float" }),
    ],
  ])("The OpenAPI document is rejected by the meta-schema with %s", async (_what, breakDocument) => {
    const document = printed();
    breakDocument(document);
    expect((await validate(metaSchema, document)).valid).toBe(false);
  });

  test("The OpenAPI document has one deprecated GET for each endpoint row and nothing else", () => {
    const document = printed();
    expect(Object.keys(document.paths as JsonObject)).toEqual(
      Object.values(endpoints).map(({ path }) => path),
    );
    for (const item of Object.values(document.paths as JsonObject))
      expect(Object.keys(item as JsonObject)).toEqual(["get"]);
    expect(operations(document).map(({ deprecated }) => deprecated)).toEqual([true, true, true]);
    expect(operations(document).every((operation) => operation.requestBody === undefined)).toBe(true);
  });

  test("The OpenAPI document defines 200 with the endpoint's body and 401 without a body, because the document does not show one", () => {
    for (const { responses, operationId } of operations(printed())) {
      const { 404: notFound, ...documented } = responses as JsonObject;
      expect(Object.keys(documented)).toEqual(["200", "401"]);
      // A 404 is the choice of this implementation, and says so.
      expect(notFound === undefined).toBe(operationId === "passport-list");
      if (notFound) expect(notFound).toMatchObject({ "x-implementation-choice": true });
      expect(resolve(responses as JsonObject, "#/401")).toEqual({
        description: "unauthorized request",
        "x-gap": "7-error-body",
      });
    }
  });

  test("The OpenAPI document defines the key as an optional header of every operation and does not specify the effect of omitting it", () => {
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

  test("The OpenAPI document keeps the contradiction of section 4.2: the id is typed integer and described as id or wallet address", () => {
    expect(at(printed(), "#/paths/~1api~1v1~1passports~1{id}/get/parameters/0")).toEqual({
      name: "id",
      in: "path",
      required: true,
      description: "passport id or wallet address",
      schema: { type: "integer" },
      "x-gap": "4.2-id",
    });
  });

  test("The OpenAPI document references only components that exist", () => {
    const document = printed();
    const pointers = [...nodes(document)].flatMap(({ node }) =>
      typeof node.$ref === "string" ? [node.$ref] : [],
    );
    expect(pointers.length).toBeGreaterThan(10);
    for (const pointer of pointers) expect(resolve(document, pointer), pointer).toBeTypeOf("object");
  });

  test("The OpenAPI document contains no ranges, patterns, closed objects, enums or nulls", () => {
    const unspecified = [
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
    // A field may be named `pattern`, so only objects with a `type` are treated as schemas.
    const typed = [...nodes(schemas)].filter(({ node }) => typeof node.type === "string");
    expect(typed.length).toBeGreaterThan(40);
    for (const { path, node } of typed)
      expect([path, unspecified.filter((key) => key in node)]).toEqual([path, []]);
  });

  test("The OpenAPI document lists every gap once, and each x-gap refers to one of them", () => {
    const document = printed();
    expect((document["x-gaps"] as JsonObject[]).map(({ id }) => id)).toEqual([...gapIds]);
    const named = [...nodes(document)].flatMap(({ node }) => ("x-gap" in node ? [node["x-gap"]] : []));
    expect(named.filter((id) => !gapIds.some((known) => known === id))).toEqual([]);
  });
});

describe("the command v1watch openapi", () => {
  test("The command v1watch openapi prints the document and nothing else", async () => {
    const { code, out, err } = await run(["openapi"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toEqual(printed());
  });

  test("The command v1watch openapi writes the document to a file with --out", async () => {
    const folder = await mkdtemp(join(tmpdir(), "v1watch-openapi-"));
    try {
      const file = join(folder, "v1.json");
      expect(await run(["openapi", "--out", file])).toEqual({ code: 0, out: "", err: "" });
      expect(JSON.parse(await readFile(file, "utf8"))).toEqual(printed());
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("The command v1watch openapi reports a file that cannot be written in one line and exits with 2", async () => {
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

test("The variable of the server has a default, as linters require it", () => {
  const [server] = buildOpenApi().servers;
  expect(server?.variables.base_url.default).toMatch(/^https:/);
});
