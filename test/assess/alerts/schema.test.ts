// The JSON Schema that is published for those who read alerts by program.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alertJsonSchema } from "../../../lib/records/alert.ts";

test("the published schema of an alert is that of the code", () => {
  const path = join(import.meta.dirname, "../../../schemas/alert.schema.json");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(JSON.parse(JSON.stringify(alertJsonSchema())));
});
