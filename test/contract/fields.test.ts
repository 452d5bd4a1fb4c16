import { describe, expect, test } from "vitest";
import * as z from "zod";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { fields, holderOf, listFields } from "../../lib/contract/fields.ts";

describe("listFields", () => {
  test("listFields lists every field with its path, type, gap and examples in the order of the schema", () => {
    const schema = z.object({
      people: z.array(
        z.object({
          born_at: z.iso.datetime(),
          age: z.int(),
          score: z.number().meta({ "x-gap": "2.6-range" }),
          network: z.string().meta({ examples: ["lens"], "x-gap": "2.6-source" }),
          tags: z.array(z.string()),
        }),
      ),
      complete: z.boolean(),
    });
    expect(listFields(schema)).toEqual([
      { path: "", type: "object" },
      { path: "people", type: "array" },
      { path: "people[]", type: "object" },
      { path: "people[].born_at", type: "date-time" },
      { path: "people[].age", type: "integer" },
      { path: "people[].score", type: "number", gap: "2.6-range", evidence: "numbers" },
      {
        path: "people[].network",
        type: "string",
        gap: "2.6-source",
        evidence: "values",
        examples: ["lens"],
      },
      { path: "people[].tags", type: "array" },
      { path: "people[].tags[]", type: "string" },
      { path: "complete", type: "boolean" },
    ]);
  });
});

describe("fields", () => {
  test.each(endpointIds)(
    "Fields of %s list the body first and each field after what holds it",
    (endpoint) => {
      const paths = fields[endpoint].map(({ path }) => path);
      expect(paths[0]).toBe("");
      for (const [index, path] of paths.entries())
        if (index > 0) expect(paths.slice(0, index)).toContain(holderOf(path));
    },
  );

  test.each(endpointIds)("Fields of %s have types that findings and the scan have names for", (endpoint) => {
    const types = ["object", "array", "string", "number", "integer", "boolean", "date-time"];
    for (const { type } of fields[endpoint]) expect(types).toContain(type);
  });

  test("Fields name the kind of evidence that their gap asks for", () => {
    const kinds = fields["passport-credentials"].map(({ path, evidence }) => [path, evidence]);
    expect(Object.fromEntries(kinds)).toMatchObject({
      "passport_credentials[].score": "numbers",
      "passport_credentials[].category": "values",
      "passport_credentials[].earned_at": "format",
      "passport_credentials[].name": undefined,
    });
  });
});
