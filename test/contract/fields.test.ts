import { expect, test } from "vitest";
import { endpointIds, responses } from "../../lib/contract/endpoints.ts";
import { fields, holderOf } from "../../lib/contract/fields.ts";
import { deriveFields } from "./derive-fields.ts";

test.each(endpointIds)(
  "the rows of %s are what its schema says, in its order: npm run generate",
  (endpoint) => {
    expect(fields[endpoint]).toEqual(deriveFields(responses[endpoint]));
  },
);

test.each(endpointIds)("every row of %s but the body's comes after the one that holds it", (endpoint) => {
  const paths = fields[endpoint].map(({ path }) => path);
  expect(paths[0]).toBe("");
  for (const [index, path] of paths.entries())
    if (index > 0) expect(paths.slice(0, index)).toContain(holderOf(path));
});
