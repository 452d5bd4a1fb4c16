// A watch in AWS, read and decided upon by the same commands as one on this machine.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { assess } from "../../lib/assess/assess.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import { createOutbox } from "../../lib/aws/outbox.ts";
import { replay, replaySettings } from "../assess/replay.ts";
import { credentials, startDynamo } from "../aws/dynamo-server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { isOneClearLine, run } from "./terminal.ts";

const dayMs = 86_400_000;
const folder = makeFolder();
const dynamo = await startDynamo();
const { decisions: _, ...settings } = replaySettings;
let table = "";

beforeAll(async () => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", credentials.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey);
  vi.stubEnv("AWS_ENDPOINT_URL", dynamo.endpoint);
  table = await dynamo.createTable();
  const options = { tableName: table, retentionDays: 400, client: dynamo.client };
  const [ledger, outbox] = [createLedger(options), createOutbox(options)];
  const startMs = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
  const { observations } = await replay("silent-retype", Date.now() - startMs, { keep: true, startMs });
  for (const observation of observations) await ledger.append(observation);
  const delivery = { alert: async () => {}, metrics: async () => {} };
  await assess(
    { nowMs: Date.now, readKey: async () => ({ kind: "none" }), ledger, outbox, delivery },
    settings,
  );
});
afterAll(() => vi.unstubAllEnvs());

const env: Record<string, string> = {};
const ask = (...args: string[]) => run(args, { env });

describe("with --table", () => {
  test.each([
    ["outlook", /^\w+ · V1 /],
    ["incidents", /drift\/breaking/],
    ["drift", /breaking\s+.*score.*string/],
    ["gaps", /\S/],
    ["alarms", /breaking-drift/],
  ])("%s tells what the watch in AWS knows", async (command, expected) => {
    const { out, err } = await ask(command, "--table", table);
    expect(err).toBe("");
    expect(out).toMatch(expected);
    expect((await run([command], { env: { ...env, V1WATCH_TABLE: table } })).out).toBe(out);
  });

  test("an acknowledgement reaches it", async () => {
    expect(await ask("ack", "drift/breaking", "--reason", "known", "--table", table)).toMatchObject({
      code: 0,
    });
    expect((await ask("incidents", "--table", table)).out).toContain("known");
  });

  test("ready judges by it, and takes an alert that SNS accepted for the proof of the way", async () => {
    const { out } = await ask("ready", "--table", table, "--json");
    const { gates, monitor } = JSON.parse(out) as {
      gates: { id: string; state: string; evidence: string }[];
      monitor: { isHealthy: boolean };
    };
    expect(monitor.isHealthy).toBe(true);
    expect(gates.filter(({ state }) => state === "pass").map(({ id }) => id)).toContain("alerts");
  });

  test("a drill for a table that is not there says so, with the remedy", async () => {
    const { code, err } = await ask("drill", "--table", "no-such-table");
    expect(code).toBe(2);
    expect(err).toMatch(
      /^v1watch: the table no-such-table cannot be used: .*the output TableName of the stack/,
    );
  });

  test("a drill waits in its outbox for the next assessment", async () => {
    const { code, out } = await ask("drill", "--table", table);
    expect(code).toBe(0);
    expect(out).toMatch(/The assessment sends the drill of .* with its next run, every 5m/);
    const outbox = createOutbox({ tableName: table, retentionDays: 400, client: dynamo.client });
    expect(await outbox.pending("alert", 10)).toMatchObject([{ alert: { event: "drill" } }]);
  });

  test("report has its days", async () => {
    const { code } = await ask(
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
    expect(report.health.map(({ days }: { days: unknown[] }) => days.length)).toEqual([2, 2, 2]);
  });
});

test.each([
  ["a table that is not there", ["--table", "no-such"], /TableName/],
  ["both a store and a table", ["--table", "a", "--store", "b"], /not in both/],
])("%s is one clear line", async (_name, args, expected) => {
  const printed = await ask("outlook", ...args);
  expect(printed.code).toBe(2);
  expect(isOneClearLine(printed)).toBe(true);
  expect(printed.err).toMatch(expected);
});
