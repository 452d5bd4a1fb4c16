// The page while a comparison runs in AWS: SSM and S3 are played by a server of the test, the table is dynalite's.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openComparison } from "../../lib/aws/comparison.ts";
import { startAccount } from "../aws/account-server.ts";
import { settings } from "../aws/comparison-settings.ts";
import { startDynamo } from "../aws/dynamo-server.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";
import {
  findViolations,
  launchBrowser,
  makeTemporaryFolder,
  type RunningMonitor,
  recordProblems,
  startRunningMonitor,
} from "./running-monitor.ts";

let browser: Browser;
let monitor: RunningMonitor;
const storage = makeTemporaryFolder();
const home = process.cwd();

beforeAll(async () => {
  const dynamo = await startDynamo();
  const table = await dynamo.createTable();
  const parts = { table, bucket: "reports", stateMachine: "arn:aws:states:eu-west-1:1:stateMachine:none" };
  const done = `comparisons/${settings.run}/results/000000.json`;
  const account = await startAccount(({ service }) => ({
    status: 200,
    body:
      service === "ssm"
        ? JSON.stringify({ Parameter: { Value: JSON.stringify(parts) } })
        : `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>${done}</Key></Contents></ListBucketResult>`,
  }));
  const environment = {
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_ENDPOINT_URL: account.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const comparison = openComparison({ tableName: table, bucket: "reports", client: dynamo.client });
  await comparison.create(settings);
  await comparison.spend(settings, 600, 450);
  await comparison.pauseUntil(settings, Date.UTC(2099, 0, 1), "V1 answered 429");

  // Readiness is shown where the migration's files are.
  writeFileSync(
    join(storage.folder, "v1watch.mapping.json"),
    JSON.stringify(decidedMapping("https://v2.example")),
  );
  process.chdir(storage.folder);
  browser = await launchBrowser();
  monitor = await startRunningMonitor("realistic", { ...storage, hasComparison: true });
});

afterAll(async () => {
  process.chdir(home);
  await monitor?.stop();
  await browser?.close();
  storage.remove();
  vi.unstubAllEnvs();
});

test("The page shows every gate, how far the comparison is and why it waits", async () => {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  const problems = recordProblems(page, monitor.url);
  await page.goto(`${monitor.url}/readiness`);
  const line = page.locator("p", { hasText: `Comparison ${settings.run}: running` });
  await line.waitFor();
  const text = await line.textContent();
  expect(text).toContain("150 of 300 passports compared; 600 requests to V1 and 450 to V2");
  expect(text).toContain("Waits until 2099-01-01 00:00 UTC: V1 answered 429.");
  expect(text).toContain("A random sample of 300 of 1,000 passports.");
  // Every gate is there, those that are not passed in the first table.
  const { readiness } = (await (await fetch(`${monitor.url}/api/summary`)).json()) as {
    readiness: { gates: { state: string; title: string }[] };
  };
  expect(new Set(readiness.gates.map(({ state }) => state))).toContain("unknown");
  const titlesOf = (caption: string) => page.getByRole("table", { name: caption }).locator("td:nth-child(2)");
  for (const [caption, isPassed] of [
    ["Gates not passed", false],
    ["Gates passed", true],
  ] as const) {
    const titles = readiness.gates
      .filter(({ state }) => (state === "pass") === isPassed)
      .map(({ title }) => title);
    expect(await titlesOf(caption).allTextContents()).toEqual(titles);
  }
  expect(await findViolations(page)).toEqual([]);
  expect(problems).toEqual({ errors: [], foreignRequests: [] });
});
