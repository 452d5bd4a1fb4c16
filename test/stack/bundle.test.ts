import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { inventoryFile } from "../../lib/stack/function-settings.ts";
import { configure } from "./configuration.ts";
import { buildWatch, createTestApp } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";
afterAll(() => vi.unstubAllEnvs());

const environment = {
  SETTINGS: '{"key":"none"}',
  ENDPOINT: "passport-list",
  NAMESPACE: "V1Watch",
  TABLE: "watch",
  RETENTION_DAYS: "400",
  TOPIC: "arn:aws:sns:eu-west-1:123456789012:alerts",
  SUBSCRIPTIONS: "1",
  BUCKET: "reports",
  EVERY_DAYS: "7",
  AWS_REGION: "eu-west-1",
};

test("Each bundle of the stack is one file that loads and exports a handler", async () => {
  const app = createTestApp(true);
  buildWatch(app, configure());
  const { directory } = app.synth();
  const bundles = readdirSync(directory).filter((name) => name.startsWith("asset."));
  expect(bundles).toHaveLength(3);
  for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
  for (const bundle of bundles) {
    expect(readdirSync(join(directory, bundle))).toEqual(["index.mjs"]);
    const { handler } = await import(pathToFileURL(join(directory, bundle, "index.mjs")).href);
    expect(handler).toBeTypeOf("function");
  }
});

test("The assess function gets the team's inventory beside its code, and nothing where there is none", () => {
  const inventory = { schema: "v1watch/inventory/1", scannedOn: "2026-11-15", uses: [] };
  expect(inventoryFile(JSON.stringify({ inventory }))).toEqual({
    "inventory.json": JSON.stringify(inventory),
  });
  expect(inventoryFile(JSON.stringify({ mapping: {} }))).toEqual({});
  expect(inventoryFile(undefined)).toEqual({});
});
