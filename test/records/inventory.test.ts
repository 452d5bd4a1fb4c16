import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registerSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import { expect, test } from "vitest";
import {
  type Inventory,
  type InventoryUse,
  inventory,
  inventoryJsonSchema,
  listCodeUses,
} from "../../lib/records/inventory.ts";
import { mergeInventory, scanConsumers } from "../../lib/scan/index.ts";
import { fc } from "../random.ts";

const address = "https://v1watch.example/inventory";
const printed = JSON.parse(JSON.stringify(inventoryJsonSchema()));
registerSchema(printed, address);

const validInventory: Inventory = {
  $schema: "./schemas/inventory.schema.json",
  schema: "v1watch/inventory/2",
  scannedOn: "2026-11-15",
  folders: [{ name: "src", files: 12, scannedOn: "2026-11-15", digest: "abc=" }],
  uses: [
    {
      id: "src/a.ts passport load",
      file: "src/a.ts",
      line: 3,
      language: "javascript",
      endpoint: "passport",
      confidence: "high",
      package: "web",
      codeOwners: ["@team"],
      calls: [3],
      fields: [{ path: "passport.score", line: 3, isRequired: true, isUndocumented: false }],
      hazards: [{ rule: "catch-default", line: 4 }],
      firstSeen: "2026-11-01",
      gone: "2026-11-10",
      owner: "team-a",
      status: "dual",
      note: "soon",
      exception: { reason: "frozen", expires: "2027-02-28", approvedBy: "lead" },
    },
  ],
  unsure: [{ file: "src/b.ts", line: 7, reason: "no-call" }],
};

/** The paths of all values, each as a list of keys. */
const pathsOf = (value: unknown): string[][] =>
  typeof value !== "object" || value === null
    ? [[]]
    : [[], ...Object.entries(value).flatMap(([key, child]) => pathsOf(child).map((rest) => [key, ...rest]))];

function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  const inner = replaceAt(copy[key], rest, by);
  if (inner === undefined) delete copy[key];
  else copy[key] = inner;
  return copy;
}

const anyReplacement = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    "",
    "v2",
    "dual",
    "V1",
    "passport",
    "2027-02-29",
    "2028-02-29",
    "2026-13-01",
  ),
  fc.constantFrom(0, -1, 1.5, 2 ** 53, "x".repeat(300), "x".repeat(301), [], ["a"], [1], {}, { a: 1 }, true),
  fc.jsonValue({ maxDepth: 1 }),
);

test("The published JSON Schema and the zod schema accept and reject the same inventories", async () => {
  expect(inventory.safeParse(validInventory).error).toBeUndefined();
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...pathsOf(validInventory)), anyReplacement, async (path, by) => {
      const changed = JSON.parse(JSON.stringify(replaceAt(validInventory, path, by) ?? null));
      const { success } = inventory.safeParse(changed);
      if (!success) rejected += 1;
      expect((await validate(address, changed)).valid).toBe(success);
    }),
    { numRuns: 300 },
  );
  expect(rejected).toBeGreaterThan(50);
  expect(rejected).toBeLessThan(300);
});

test("The schema of the inventory says which fields are edited by hand", () => {
  const { owner, status, exception, note, line } = printed.properties.uses.items.properties;
  for (const part of [owner, status, exception, note]) expect(part.description).toContain("Edited by hand");
  expect(line.description).toBeUndefined();
});

test("An alert names only what was followed from a call", () => {
  const high: InventoryUse = {
    id: "a.ts passport load",
    file: "a.ts",
    line: 3,
    language: "javascript",
    endpoint: "passport",
    confidence: "high",
    package: "web",
    codeOwners: [],
    calls: [3],
    fields: [
      { path: "passport.score", line: 4, confidence: "high" },
      { path: "passport.merged", line: 5, confidence: "medium" },
    ],
    hazards: [
      { rule: "catch-default", line: 6, confidence: "medium" },
      { rule: "status-default", line: 7 },
    ],
    firstSeen: "2026-11-01",
    status: "v1",
  };
  const uses: InventoryUse[] = [high, { ...high, file: "b.ts", confidence: "medium" }];
  expect(listCodeUses({ uses })).toMatchObject([
    { file: "a.ts", line: 3, fields: [{ path: "passport.score" }], hazardLine: 7 },
  ]);
});

test("A new inventory names its schema, and an inventory that names another schema keeps it", () => {
  const emptyScan = {
    uses: [],
    folders: [],
    questions: [],
    links: [],
    missing: [],
    addresses: [],
    notCounted: [],
    unfollowed: [],
  };
  const schema = "./schemas/inventory.schema.json";
  expect(mergeInventory(undefined, emptyScan, "2026-11-15", schema).inventory.$schema).toBe(schema);
  expect(mergeInventory(undefined, emptyScan, "2026-11-15").inventory.$schema).toBeUndefined();
  const otherSchema = { ...validInventory, $schema: "../schemas/inventory.json" };
  expect(mergeInventory(otherSchema, emptyScan, "2026-11-15", schema).inventory.$schema).toBe(
    "../schemas/inventory.json",
  );
});

test("An inventory of a file with a very long path is valid", async () => {
  const root = mkdtempSync(join(tmpdir(), "v1watch-inventory-"));
  try {
    const folder = join(root, ...Array.from({ length: 5 }, () => "f".repeat(200)));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `a.${"e".repeat(200)}`), 'get "/api/v1/passports"\n');
    const scan = await scanConsumers([{ root, as: "" }]);
    const { inventory: written } = mergeInventory(undefined, scan!, "2026-11-15");
    expect(written.uses).toHaveLength(1);
    expect(inventory.safeParse(JSON.parse(JSON.stringify(written))).error).toBeUndefined();
  } finally {
    rmSync(root, { recursive: true });
  }
});
