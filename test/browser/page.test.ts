// The page in Chromium, served by a monitor that checks the simulator.
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Summary } from "../../lib/local/server/api-schemas.ts";
import {
  launchBrowser,
  makeTemporaryFolder,
  type RunningMonitor,
  recordProblems,
  startRunningMonitor,
} from "./running-monitor.ts";

let browser: Browser;
let monitor: RunningMonitor;
const storage = makeTemporaryFolder();

beforeAll(async () => {
  browser = await launchBrowser();
  monitor = await startRunningMonitor("realistic", storage);
});

afterAll(async () => {
  await monitor.stop();
  await browser.close();
  storage.remove();
});

type View = { width?: number; height?: number; scheme?: "light" | "dark"; hash?: string };

async function openPage({ width = 1_280, height = 900, scheme = "light", hash = "" }: View = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  const problems = recordProblems(page, monitor.url);
  await page.goto(`${monitor.url}/${hash}`);
  await page.getByRole("heading", { level: 1 }).filter({ hasText: "V1" }).waitFor();
  return { page, problems, close: () => context.close() };
}

const fetchSummary = async (): Promise<Summary> =>
  (await (await fetch(`${monitor.url}/api/summary`)).json()) as Summary;

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

async function findViolations(page: Page): Promise<string[]> {
  // Injected through the debugger, so that the page's content security policy stays in force.
  await page.evaluate(axe);
  return page.evaluate(
    "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' ')))",
  );
}

describe("the page", () => {
  test("loads without errors and sends requests only to its own server", async () => {
    const { page, problems, close } = await openPage();
    await page.locator("#connection", { hasText: /\bconnected/ }).waitFor();
    await page.waitForTimeout(2_500);
    expect(problems).toEqual({ errors: [], foreignRequests: [] });
    await close();
  });

  test("shows the verdict, cards, drift, undocumented behaviour and timeline of the API", async () => {
    const { page, close } = await openPage();
    await expect.poll(async () => (await fetchSummary()).drift.total, { timeout: 40_000 }).toBeGreaterThan(0);
    const summary = await fetchSummary();
    // The monitor continues meanwhile, so the page gets the same summary as the assertions.
    await page.route("**/api/summary", (route) => route.fulfill({ json: summary }));
    await page.reload();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: summary.verdict.sentence }).waitFor();
    const statuses = await page.locator(".card .card-status").allTextContents();
    for (const [index, card] of summary.cards.entries()) expect(statuses[index]).toContain(card.word);
    expect(await page.locator(".card h2").allTextContents()).toEqual(
      summary.cards.map(({ endpoint }) => endpoint),
    );
    expect(await page.locator(".card svg.spark").count()).toBe(15);
    const paths = await page.locator("#drift-rows code").allTextContents();
    expect(paths.toSorted()).toEqual(summary.drift.rows.map(({ path }) => path).toSorted());
    expect(await page.locator("#undocumented-rows tbody tr").count()).toBe(summary.gaps.length);
    expect(await page.locator("#section-links").textContent()).toContain(`drift (${summary.drift.total})`);
    for (const { label } of summary.timeline.lanes)
      expect(await page.locator("#timeline-lanes").textContent()).toContain(label);
    await close();
  });

  test("opens the observations of an endpoint with a click on a number, and one observation with its explanation", async () => {
    const { page, close } = await openPage();
    await page.getByRole("button", { name: /^availability.*passport-list$/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Observations of passport-list" }).waitFor();
    await dialog.locator("tbody button").first().click();
    await dialog.getByRole("heading", { name: "Explanation" }).waitFor();
    const text = (await dialog.textContent()) ?? "";
    for (const part of ["Timings", "Headers of interest", "Findings", "section 4.1"])
      expect(text).toContain(part);
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(false);
    await close();
  });

  test("filters the drift history", async () => {
    const { page, close } = await openPage();
    await page.locator("#drift-text").fill("follower_count");
    await expect.poll(() => page.locator("#drift-rows code").allTextContents()).toHaveLength(1);
    expect(await page.locator("#drift-rows").textContent()).toContain("string → number");
    await close();
  });

  test.each([
    ["light", 1_600],
    ["dark", 1_600],
    ["light", 360],
    ["dark", 360],
  ] as const)("has no accessibility violation, %s, %i px", async (scheme, width) => {
    const { page, close } = await openPage({ scheme, width });
    expect(await findViolations(page)).toEqual([]);
    await page.evaluate("for (const node of document.querySelectorAll('details')) node.open = true");
    expect(await findViolations(page)).toEqual([]);
    await page.locator(".number").first().click();
    await page.getByRole("dialog").locator("tbody button").first().click();
    await page.getByRole("heading", { name: "Explanation" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await close();
  });

  test.each([360, 1_600])("fits %i px without horizontal scrolling", async (width) => {
    const { page, close } = await openPage({ width });
    await page.screenshot({ path: `.v1watch/screenshots/page-${width}.png` });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await close();
  });

  test("works with the keyboard alone and keeps the focus when data is refreshed", async () => {
    const { page, close } = await openPage();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the endpoints");
    await page.locator("#ranges button").first().focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator('#ranges button[aria-pressed="true"]', { hasText: "24h" }).waitFor();
    await page.locator(".number").first().focus();
    const key = await page.evaluate("document.activeElement.dataset.key");
    await page.waitForTimeout(4_500);
    expect(await page.evaluate("document.activeElement.dataset.key")).toBe(key);
    await close();
  });

  test("enforces its content security policy against inline styles and markup", async () => {
    const { page, close } = await openPage();
    const refused = await page.evaluate(`new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true });
      const node = document.createElement("div");
      node.setAttribute("style", "color: red");
      document.body.append(node);
      setTimeout(() => resolve("nothing"), 1000);
    })`);
    expect(refused).toMatch(/^style-src/);
    const sink = await page.evaluate(
      "(() => { try { document.body.innerHTML = '<p>'; return 'set'; } catch (error) { return error.name; } })()",
    );
    expect(sink).toBe("TypeError");
    await close();
  });
});

describe("fault injection", () => {
  const openIncident = (page: Page, id: string) => page.locator(`#open-incidents [data-incident^="${id}"]`);

  test("opens an incident on the page without a reload and resolves it after the fault is cleared", async () => {
    const { page, problems, close } = await openPage({ hash: `#token=${monitor.token}` });
    expect(page.url()).toBe(`${monitor.url}/`);
    await page.evaluate("globalThis.sameDocument = true");
    await page.locator("#effect").selectOption("status");
    await page.locator("#inject").click();
    await openIncident(page, "down").waitFor({ timeout: 40_000 });
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "V1 is down" }).waitFor();
    await page.locator("#notification-rows", { hasText: "V1 is down on all 3 endpoints (503)" }).waitFor();
    await page.locator("#timeline-lanes", { hasText: "down" }).waitFor();
    await page.locator("#clear-faults").click();
    await openIncident(page, "down").waitFor({ state: "detached", timeout: 40_000 });
    await page.locator("#notification-rows", { hasText: "RESOLVED" }).waitFor();
    expect(await page.evaluate("globalThis.sameDocument")).toBe(true);
    expect(problems).toEqual({ errors: [], foreignRequests: [] });
    await close();
  });

  test("is refused without the token", async () => {
    const { page, close } = await openPage();
    await page.locator("#inject").click();
    await page.locator("#panel-error", { hasText: "token" }).waitFor();
    await expect.poll(() => page.locator("#token-row").isVisible()).toBe(true);
    expect((await fetchSummary()).simulation?.injected).toEqual([]);
    await close();
  });

  test("of markup in bios and headers is shown as text and runs no script", async () => {
    const { page, problems, close } = await openPage({ hash: `#token=${monitor.token}` });
    const before = (await fetchSummary()).observations;
    await page.locator("#effect").selectOption("markup");
    await page.locator("#inject").click();
    // The Retry-After of the previous test may still apply for about ten seconds.
    await expect
      .poll(async () => (await fetchSummary()).observations, { timeout: 40_000 })
      .toBeGreaterThan(before + 6);
    await page.locator(".number").first().click();
    await page.getByRole("dialog").locator("tbody button").first().click();
    await page.getByRole("heading", { name: "Explanation" }).waitFor();
    expect(await page.locator("script").count()).toBe(1);
    expect(await page.content()).not.toMatch(/<script>|alert\(/);
    expect(problems).toEqual({ errors: [], foreignRequests: [] });
    await page.keyboard.press("Escape");
    await page.locator("#clear-faults").click();
    await close();
  });
});

describe("a restart of the monitor", () => {
  test("makes the page reconnect and show the new observations", async () => {
    const { page, close } = await openPage();
    await page.locator("#connection", { hasText: /\bconnected/ }).waitFor();
    const { port } = new URL(monitor.url);
    const before = (await fetchSummary()).observations;
    await monitor.stop();
    await page.locator("#connection", { hasText: "disconnected" }).waitFor();
    monitor = await startRunningMonitor("realistic", { folder: storage.folder, port: Number(port) });
    await page.locator("#connection", { hasText: /\bconnected/ }).waitFor({ timeout: 40_000 });
    await expect
      .poll(async () =>
        Number.parseInt(((await page.locator("#footer").textContent()) ?? "").replace(",", ""), 10),
      )
      .toBeGreaterThan(before);
    await close();
  });
});
