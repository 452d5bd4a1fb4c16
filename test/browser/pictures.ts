// npm run pictures: the pictures of the README, taken from the running product with the simulator as V1.
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchBrowser, makeTemporaryFolder, startRunningMonitor } from "./running-monitor.ts";

const storage = makeTemporaryFolder();
const monitor = await startRunningMonitor("healthy", storage);
const browser = await launchBrowser();

const post = (path: string, body: object) =>
  fetch(`${monitor.url}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${monitor.token}` },
    body: JSON.stringify(body),
  });
const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

async function take(name: string, path: string, ready: string, size: { width: number; height: number }) {
  const page: Page = await browser.newPage({ viewport: size });
  await page.goto(`${monitor.url}${path}`);
  await page.locator(ready).first().waitFor();
  await wait(2);
  await page.screenshot({ path: fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url)) });
  await page.close();
}

try {
  // A calm time, a short outage of one endpoint, and a field that changes its type.
  await wait(40);
  await post("/api/simulation/inject", { kind: "status", endpoint: "passport" });
  await wait(20);
  await post("/api/simulation/clear", {});
  await wait(30);
  await post("/api/simulation/inject", { kind: "retype-field", endpoint: "passport-list" });
  await wait(25);
  await take("page", "/", ".plot canvas", { width: 1_440, height: 900 });
  const [incident] = (
    (await (await fetch(`${monitor.url}/api/summary`)).json()) as { firing: { id: string }[] }
  ).firing;
  await take("incident", `/incidents/${incident?.id}`, ".command", { width: 1_440, height: 900 });
  await take("report", "/report", "main h1", { width: 1_000, height: 1_000 });
} finally {
  await monitor.stop();
  await browser.close();
  storage.remove();
}
