// The Readiness view where the migration's files are.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
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
  writeFileSync(
    join(storage.folder, "v1watch.mapping.json"),
    JSON.stringify(decidedMapping("https://v2.example")),
  );
  process.chdir(storage.folder);
  browser = await launchBrowser();
  monitor = await startRunningMonitor("realistic", storage);
});

afterAll(async () => {
  process.chdir(home);
  await monitor?.stop();
  await browser?.close();
  storage.remove();
});

test("The page shows every gate, those that are not passed in the first table", async () => {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  const problems = recordProblems(page, monitor.url);
  await page.goto(`${monitor.url}/readiness`);
  await page.getByRole("table", { name: "Gates not passed" }).waitFor();
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
