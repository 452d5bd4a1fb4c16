// Validates against the official schema of SARIF 2.1.0, of which test/fixtures has a copy.
import { readFileSync } from "node:fs";
import { registerSchema, validate } from "@hyperjump/json-schema/draft-07";

const address = "https://json.schemastore.org/sarif-2.1.0.json";
const file = new URL("../fixtures/sarif-2.1.0.json", import.meta.url);

// The pattern of `language`, a property that is not used here, is invalid in a strict regular expression parser.
const { $id: _, ...schema } = JSON.parse(readFileSync(file, "utf8"), (key, value) =>
  key === "pattern" && String(value).endsWith("]?$") ? undefined : value,
);
registerSchema(schema, address);

type SchemaError = { instanceLocation: string; absoluteKeywordLocation: string };

/** The schema errors of a log; empty if it is valid. */
export async function schemaErrors(log: unknown): Promise<string[]> {
  const output = (await validate(address, log as never, "BASIC")) as {
    valid: boolean;
    errors?: SchemaError[];
  };
  if (output.valid) return [];
  return (output.errors ?? []).map(({ instanceLocation, absoluteKeywordLocation }) =>
    `${instanceLocation} ${absoluteKeywordLocation}`.replaceAll(address, ""),
  );
}
