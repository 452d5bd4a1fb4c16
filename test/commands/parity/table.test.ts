// parity --table: the requests to V1 are counted in the budget of a watch in AWS.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createLedger } from "../../../lib/aws/ledger.ts";
import { loadConfig } from "../../../lib/config/config.ts";
import type { Ledger } from "../../../lib/ports.ts";
import { monthOf } from "../../../lib/probe/schedule/budget.ts";
import { spend, updateProbeState } from "../../../lib/probe/schedule/probe-state.ts";
import { createSharedBudget } from "../../../lib/probe/schedule/shared-budget.ts";
import { type Simulator, startSimulator } from "../../../lib/simulator/server.ts";
import { startV2Simulator, type V2Simulator } from "../../../lib/simulator/v2/server.ts";
import { credentials, startDynamo } from "../../aws/dynamo-server.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { decidedMapping } from "../../mapping/v2-mapping.ts";
import { run } from "../terminal.ts";

const folder = makeFolder();
const dynamo = await startDynamo();
let v1: Simulator;
let v2: V2Simulator;
let tableName = "";
let ledger: Ledger;
beforeAll(async () => {
  v1 = await startSimulator({ passports: 60 });
  v2 = await startV2Simulator({ passports: 60 });
  writeFileSync(join(folder, "map.json"), JSON.stringify(decidedMapping(v2.url)));
  writeFileSync(join(folder, "config.json"), JSON.stringify({ baseUrl: v1.url, cadence: { calm: cadence } }));
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ENDPOINT_URL", dynamo.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", credentials.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey);
});
beforeEach(async () => {
  tableName = await dynamo.createTable();
  ledger = createLedger({ tableName, retentionDays: 400, client: dynamo.client });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([v1.close(), v2.close()]);
});

// Each per-endpoint function looks up its own samples, so a cadence of 30 minutes would use the whole budget.
const cadence = "2h";

const env: Record<string, string> = { V1WATCH_V2_API_KEY: "any" };
const runParity = (table: string, ...more: string[]) =>
  run(
    [
      ...["parity", "--mapping", join(folder, "map.json"), "--allow-loopback"],
      ...["--config", join(folder, "config.json")],
      ...["--apart", "0s", "--sample", "40", "--table", table, ...more],
    ],
    { env },
  );

test("v1watch parity --table counts every request in the table and respects the reservation of the watch", async () => {
  const before = v1.requests();
  const loaded = loadConfig({ env: {}, flags: { "base-url": v1.url, cadence } });
  if (!loaded.ok) throw new Error("no configuration");
  const sharedBudget = createSharedBudget({
    ledger,
    config: loaded.config,
    nowMs: Date.now,
  });
  const { kept } = await sharedBudget.remaining();
  const { code, out, err } = await runParity(tableName);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("This run makes at most 162 requests to V1");
  expect(out).toContain(`${kept.toLocaleString("en")} are reserved for the watch`);
  expect((await ledger.readProbeState())?.value.spent).toEqual({
    [monthOf(Date.now())]: v1.requests() - before,
  });
});

test("v1watch parity --table sends no request if the remaining budget is reserved for the watch", async () => {
  await updateProbeState(ledger, (probeState) => spend(probeState, monthOf(Date.now()), 4_990));
  const before = v1.requests();
  const { code, err } = await runParity(tableName);
  expect(code).toBe(2);
  expect(err).toContain("but only 0 are available until");
  expect(v1.requests()).toBe(before);
});

test("v1watch parity --table sends no request if the table does not exist or --store is given as well", async () => {
  const before = v1.requests();
  expect((await runParity("no-such-table")).err).toBe(
    "v1watch: the table no-such-table cannot be used: it does not exist in this account and region. Its name is the stack output TableName.\n",
  );
  expect((await runParity(tableName, "--store", join(folder, "s.db"))).err).toMatch(
    /'--table <NAME>' cannot be used with option '--store <FILE>'/,
  );
  expect(v1.requests()).toBe(before);
});
