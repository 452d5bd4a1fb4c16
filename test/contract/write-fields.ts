// npm run generate: the contract's schemas, written out as lib/contract/field-table.json.
import { writeFileSync } from "node:fs";
import { endpointIds, responses } from "../../lib/contract/endpoints.ts";
import { deriveFields } from "./derive-fields.ts";

const table = Object.fromEntries(endpointIds.map((id) => [id, deriveFields(responses[id])]));
writeFileSync(
  new URL("../../lib/contract/field-table.json", import.meta.url),
  `${JSON.stringify(table, null, 2)}\n`,
);
