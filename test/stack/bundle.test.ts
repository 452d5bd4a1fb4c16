import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { bundleInto } from "../../lib/stack/bundle.ts";
import { inventoryFile } from "../../lib/stack/function-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "v1watch-bundle-"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

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

test.each(["probe", "assess", "report"] as const)(
  "The bundle of the function %s is one file that loads and exports a handler",
  async (name) => {
    const outdir = join(folder, name);
    bundleInto(outdir, name);
    expect(readdirSync(outdir)).toEqual(["index.mjs"]);
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    const { handler } = await import(pathToFileURL(join(outdir, "index.mjs")).href);
    expect(handler).toBeTypeOf("function");
  },
);

test("The assess function gets the team's inventory beside its code, and nothing where there is none", () => {
  const inventory = { schema: "v1watch/inventory/1", scannedOn: "2026-11-15", uses: [] };
  expect(inventoryFile(JSON.stringify({ inventory }))).toEqual({
    "inventory.json": JSON.stringify(inventory),
  });
  expect(inventoryFile(JSON.stringify({ mapping: {} }))).toEqual({});
  expect(inventoryFile(undefined)).toEqual({});
});
