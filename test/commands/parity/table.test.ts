// A comparison whose requests are booked with a watch in AWS.
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
  const { region, endpoint = "" } = dynamo.access();
  vi.stubEnv("AWS_REGION", region);
  env.AWS_ENDPOINT_URL = endpoint;
  vi.stubEnv("AWS_ACCESS_KEY_ID", credentials.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey);
});
beforeEach(async () => {
  tableName = await dynamo.createTable();
  ledger = createLedger({ tableName, retentionDays: 400, access: dynamo.access });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([v1.close(), v2.close()]);
});

// Functions apart look up their samples: every 30 minutes would leave nothing to spare.
const cadence = "2h";

const env: Record<string, string> = { V1WATCH_V2_API_KEY: "any", V1WATCH_CADENCE: cadence };
const compare = (table: string, ...more: string[]) =>
  run(
    [
      ...["parity", "--mapping", join(folder, "map.json"), "--base-url", v1.url, "--allow-loopback"],
      ...["--apart", "0s", "--sample", "40", "--table", table, ...more],
    ],
    { env },
  );

test("every request is in the table's books, and the watch keeps what its functions need apart", async () => {
  const before = v1.requests();
  const loaded = loadConfig({ env: {}, flags: { "base-url": v1.url, cadence } });
  if (!loaded.ok) throw new Error("no configuration");
  const sharedBudget = createSharedBudget({
    ledger,
    config: loaded.config,
    nowMs: Date.now,
  });
  const { kept } = await sharedBudget.remaining();
  const { code, out, err } = await compare(tableName);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("This run may make up to 162 requests to V1");
  expect(out).toContain(`keeps ${kept.toLocaleString("en")} for itself`);
  expect((await ledger.readProbeState())?.value.spent).toEqual({
    [monthOf(Date.now())]: v1.requests() - before,
  });
});

test("a watch that needs all that is left gets no comparison", async () => {
  await updateProbeState(ledger, (probeState) => spend(probeState, monthOf(Date.now()), 4_990));
  const before = v1.requests();
  const { code, err } = await compare(tableName);
  expect(code).toBe(2);
  expect(err).toContain("the watch can spare 0 until");
  expect(v1.requests()).toBe(before);
});

test("a table that is not there is named, and nobody is asked", async () => {
  const before = v1.requests();
  expect((await compare("no-such-table")).err).toBe(
    "v1watch: the table no-such-table cannot be used: it is not in this account and region. Its name is the output TableName of the stack.\n",
  );
  expect((await compare(tableName, "--store", join(folder, "s.db"))).err).toBe(
    "v1watch: a watch is in --store or in --table, not in both\n",
  );
  expect(v1.requests()).toBe(before);
});
