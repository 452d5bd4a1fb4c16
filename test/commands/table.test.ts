// Commands with --table: they read and change a watch in AWS like one on this machine.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CreateTableCommand, DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { assess } from "../../lib/assess/assess.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import { createOutbox } from "../../lib/aws/outbox.ts";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { replay } from "../assess/replay.ts";
import { credentials, startDynamo } from "../aws/dynamo-server.ts";
import { configure } from "../config/configure.ts";
import { acceptAlerts, pendingIn } from "../local/receivers.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { isSingleErrorLine, run } from "./terminal.ts";

const dayMs = 86_400_000;
/** V1 changes after a day. */
const startMs = Date.now() - dayMs - 3 * 3_600_000;
const folder = makeFolder();
const dynamo = await startDynamo();
/** With a long cadence there are few checks. */
const file = { cadence: { calm: "2h" } };
const settings = assessmentSettings(configure(file));
let table = "";

beforeAll(async () => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", credentials.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey);
  vi.stubEnv("AWS_ENDPOINT_URL", dynamo.endpoint);
  table = await dynamo.createTable();
  const options = { tableName: table, retentionDays: 400, client: dynamo.client };
  const [ledger, outbox] = [createLedger(options), createOutbox(options)];
  const { observations } = await replay("silent-retype", Date.now() - startMs, { file, keep: true, startMs });
  await ledger.saveSettings(settings);
  for (const observation of observations) await ledger.append(observation);
  await assess(
    { nowMs: Date.now, readKey: async () => ({ kind: "none" }), ledger, outbox, receivers: [acceptAlerts()] },
    settings,
  );
});
afterAll(() => vi.unstubAllEnvs());

const env: Record<string, string> = {};
const runWithEnv = (...args: string[]) => run(args, { env });

describe("with --table", () => {
  test.each([
    ["status risk", /^Retirement risk: \w+ · V1 /m],
    ["incidents", /breaking-drift-/],
    ["status drift", /breaking\s+.*score.*string/],
    ["status undocumented", /\S/],
  ])("v1watch %s reads the watch in AWS, also from V1WATCH_TABLE", async (command, expected) => {
    const { out, err } = await runWithEnv(...command.split(" "), "--table", table);
    expect(err).toBe("");
    expect(out).toMatch(expected);
    const named = await run(command.split(" "), { env: { ...env, V1WATCH_TABLE: table } });
    // An incident that is firing is a second older in the second run.
    const withoutSeconds = (text: string) => text.replaceAll(/ \d+ s\b/g, "");
    expect(withoutSeconds(named.out)).toBe(withoutSeconds(out));
  });

  test("v1watch status risk --table judges by the settings that are stored in the table, not by those of the folder", async () => {
    const ledger = createLedger({ tableName: table, retentionDays: 400, client: dynamo.client });
    const retirementDate = new Date(Date.now() + 90 * dayMs).toISOString().slice(0, 10);
    const before = await runWithEnv("status", "risk", "--table", table);
    expect(before.out).not.toContain(retirementDate);
    await ledger.saveSettings({ ...settings, retirementDate });
    expect((await runWithEnv("status", "risk", "--table", table)).out).toContain(retirementDate);
    await ledger.saveSettings(settings);
  });

  test("v1watch incidents ack --table stores the acknowledgement in the table", async () => {
    const [{ id }] = JSON.parse((await runWithEnv("incidents", "--json", "--table", table)).out);
    expect(await runWithEnv("incidents", "ack", id, "--reason", "known", "--table", table)).toMatchObject({
      code: 0,
    });
    expect((await runWithEnv("incidents", "--table", table)).out).toContain("known");
  });

  test("v1watch ready passes the alerts gate after SNS has accepted an alert and a confirmed subscription was seen", async () => {
    const readGate = async () => {
      const { out } = await runWithEnv("ready", "--table", table, "--json");
      const { gates, monitor } = JSON.parse(out) as {
        gates: { id: string; state: string }[];
        monitor: { isHealthy: boolean };
      };
      expect(monitor.isHealthy).toBe(true);
      return gates.find(({ id }) => id === "alerts")?.state;
    };
    const ledger = createLedger({ tableName: table, retentionDays: 400, client: dynamo.client });
    const status = { at: new Date().toISOString(), expected: 1, confirmed: 0, unconfirmed: [] };
    expect(await readGate()).toBe("unknown");
    await ledger.saveSubscriptionStatus(status);
    expect(await readGate()).toBe("unknown");
    await ledger.saveSubscriptionStatus({ ...status, confirmed: 1, confirmedSince: status.at });
    expect(await readGate()).toBe("unknown");
    const confirmedSince = new Date(Date.now() - 2 * dayMs).toISOString();
    await ledger.saveSubscriptionStatus({ ...status, confirmed: 1, confirmedSince });
    expect(await readGate()).toBe("pass");
  });

  test("v1watch incidents, ready and report warn of a subscription that is not confirmed", async () => {
    const ledger = createLedger({ tableName: table, retentionDays: 400, client: dynamo.client });
    const at = new Date().toISOString();
    const confirmed = { at, expected: 2, confirmed: 2, unconfirmed: [] };
    const unconfirmed = ["email t***@example.com"];
    await ledger.saveSubscriptionStatus({ ...confirmed, confirmed: 1, unconfirmed });
    const warning = `WARNING · 1 subscription gets no alerts: 1 not confirmed (email t***@example.com). Checked on ${at.slice(0, 10)}.`;
    expect((await runWithEnv("incidents", "--table", table)).err).toBe(`${warning}\n`);
    expect((await runWithEnv("ready", "--table", table)).out).toContain(warning);
    const report = ["report", "--table", table, "--format", "all", "--out", folder];
    expect((await runWithEnv(...report)).out).toContain(warning);
    for (const file of ["v1watch-report.html", "v1watch-report.md", "v1watch-report.json"])
      expect(readFileSync(join(folder, file), "utf8")).toContain("1 subscription gets no alerts");
    await ledger.saveSubscriptionStatus(confirmed);
    expect((await runWithEnv("incidents", "--table", table)).err).toBe("");
  });

  test("v1watch notify --drill prints a remedy if the table does not exist", async () => {
    const { code, err } = await runWithEnv("notify", "--drill", "--table", "no-such-table");
    expect(code).toBe(2);
    expect(err).toMatch(/^v1watch: the table no-such-table cannot be used: .*the stack output TableName/);
  });

  test("v1watch notify --drill puts the alert into the outbox for the next assessment", async () => {
    const { code, out } = await runWithEnv("notify", "--drill", "--table", table);
    expect(code).toBe(0);
    expect(out).toMatch(/The assessment, which runs every 5m, sends the drill of .* with its next run/);
    const outbox = createOutbox({ tableName: table, retentionDays: 400, client: dynamo.client });
    // The acknowledgement of the test above waits as well.
    const events = (await pendingIn(outbox, 10)).map(({ id }) => id.split("-").at(-1));
    expect(events).toEqual(["acknowledged", "drill"]);
  });

  test("v1watch store export --table writes the observations and decisions of the watch", async () => {
    const { code, out } = await runWithEnv("store", "export", "--table", table);
    expect(code).toBe(0);
    const schemas = out
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { schema: string }).schema);
    expect(new Set(schemas)).toEqual(new Set(["v1watch/observation/2", "v1watch/decision/1"]));
  });

  test("v1watch report --table contains the days of the watch, and the same verdict on V1 as the page", async () => {
    const { code } = await runWithEnv(
      "report",
      "--table",
      table,
      "--format",
      "json",
      "--out",
      join(folder, "report.json"),
    );
    expect(code).toBe(0);
    const { default: report } = await import(join(folder, "report.json"), { with: { type: "json" } });
    const days = Math.floor(Date.now() / dayMs) - Math.floor(startMs / dayMs) + 1;
    expect(report.health.map((one: { days: unknown[] }) => one.days.length)).toEqual([days, days, days]);
    expect(report.v1).toMatchObject({ severity: "page", headline: expect.stringContaining("V1 changed") });
  });
});

test("v1watch status risk reports in one line that a table is not a table of v1watch", async () => {
  const TableName = "orders";
  await dynamo.client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: "orderId", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "orderId", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  const describeTable = () => dynamo.client.send(new DescribeTableCommand({ TableName }));
  await expect.poll(async () => (await describeTable()).Table?.TableStatus).toBe("ACTIVE");
  const printed = await runWithEnv("status", "risk", "--table", TableName);
  expect(printed.code).toBe(2);
  expect(isSingleErrorLine(printed)).toBe(true);
  expect(printed.err).toMatch(/the table orders cannot be used: it is not a table of v1watch/);
});

test.each([
  ["a table that does not exist", ["--table", "no-such"], /TableName/],
  ["both a store and a table", ["--table", "a", "--store", "b"], /cannot be used with option '--store/],
])("v1watch status risk reports a usage error in one line for %s", async (_name, args, expected) => {
  const printed = await runWithEnv("status", "risk", ...args);
  expect(printed.code).toBe(2);
  expect(isSingleErrorLine(printed)).toBe(true);
  expect(printed.err).toMatch(expected);
});
