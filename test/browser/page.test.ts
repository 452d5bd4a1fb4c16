// The page in a real Chromium, against the real watch of the real simulator.
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Summary } from "../../lib/local/server/api-schemas.ts";
import { launch, listen, makeFolder, type Station, startStation } from "./station.ts";

let browser: Browser;
let station: Station;
const place = makeFolder();

beforeAll(async () => {
  browser = await launch();
  station = await startStation("realistic", place);
});

afterAll(async () => {
  await station.stop();
  await browser.close();
  place.remove();
});

type View = { width?: number; height?: number; scheme?: "light" | "dark"; hash?: string };

async function openPage({ width = 1_280, height = 900, scheme = "light", hash = "" }: View = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  const heard = listen(page, station.url);
  await page.goto(`${station.url}/${hash}`);
  await page.getByRole("heading", { level: 1 }).filter({ hasText: "V1 is" }).waitFor();
  return { page, heard, close: () => context.close() };
}

const summary = async (): Promise<Summary> =>
  (await (await fetch(`${station.url}/api/summary`)).json()) as Summary;

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

async function findViolations(page: Page): Promise<string[]> {
  // Injected through the debugger: the page's own policy stays as strict as it is.
  await page.evaluate(axe);
  return page.evaluate(
    "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' ')))",
  );
}

describe("the page", () => {
  test("loads without a complaint and asks nobody but its own server", async () => {
    const { page, heard, close } = await openPage();
    await page.locator("#live", { hasText: "live" }).waitFor();
    await page.waitForTimeout(2_500);
    expect(heard).toEqual({ complaints: [], strangers: [] });
    await close();
  });

  test("shows what the API says: verdict, cards, ledger, gaps and timeline", async () => {
    const { page, close } = await openPage();
    await expect.poll(async () => (await summary()).drift.total, { timeout: 40_000 }).toBeGreaterThan(0);
    const told = await summary();
    // The watch goes on meanwhile: one answer, for the page and for us.
    await page.route("**/api/summary", (route) => route.fulfill({ json: told }));
    await page.reload();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: told.verdict.sentence }).waitFor();
    const words = await page.locator(".card .word").allTextContents();
    for (const [index, card] of told.cards.entries()) expect(words[index]).toContain(card.word);
    expect(await page.locator(".card h2").allTextContents()).toEqual(
      told.cards.map(({ endpoint }) => endpoint),
    );
    expect(await page.locator(".card svg.spark").count()).toBe(15);
    const paths = await page.locator("#drift-rows code").allTextContents();
    expect(paths.toSorted()).toEqual(told.drift.rows.map(({ path }) => path).toSorted());
    expect(await page.locator("#gap-rows tbody tr").count()).toBe(told.gaps.length);
    expect(await page.locator("#contents").textContent()).toContain(`drift (${told.drift.total})`);
    for (const { label } of told.timeline.lanes)
      expect(await page.locator("#lanes").textContent()).toContain(label);
    await close();
  });

  test("answers a click on a number with its observations, and one of them explained", async () => {
    const { page, close } = await openPage();
    await page.getByRole("button", { name: /^availability.*passport-list$/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Observations of passport-list" }).waitFor();
    await dialog.locator("tbody button").first().click();
    await dialog.getByRole("heading", { name: "Explained" }).waitFor();
    const text = (await dialog.textContent()) ?? "";
    for (const part of ["Timings", "Headers of interest", "Findings", "section 4.1"])
      expect(text).toContain(part);
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(false);
    await close();
  });

  test("filters the ledger", async () => {
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
    await page.getByRole("heading", { name: "Explained" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await close();
  });

  test.each([360, 1_600])(
    "fits %i px without a sideways scroll, and has its picture taken",
    async (width) => {
      const { page, close } = await openPage({ width });
      await page.screenshot({ path: `.v1watch/screenshots/page-${width}.png` });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      await close();
    },
  );

  test("is worked by the keyboard alone, and keeps the focus when new data comes", async () => {
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

  test("keeps its own policy: inline script and style are refused", async () => {
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

describe("a fault", () => {
  const openIncident = (page: Page, id: string) => page.locator(`#open [data-incident="${id}"]`);

  test("that is injected in the panel appears as an incident without a reload, and goes when V1 recovers", async () => {
    const { page, heard, close } = await openPage({ hash: `#token=${station.token}` });
    expect(page.url()).toBe(`${station.url}/`);
    await page.evaluate("globalThis.sameDocument = true");
    await page.locator("#effect").selectOption("status");
    await page.locator("#inject").click();
    await openIncident(page, "down").waitFor({ timeout: 40_000 });
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "V1 does not answer" }).waitFor();
    await page.locator("#told-rows", { hasText: "V1 is down (503)" }).waitFor();
    await page.locator("#lanes", { hasText: "down" }).waitFor();
    await page.locator("#clear").click();
    await openIncident(page, "down").waitFor({ state: "detached", timeout: 40_000 });
    await page.locator("#told-rows", { hasText: "RESOLVED" }).waitFor();
    expect(await page.evaluate("globalThis.sameDocument")).toBe(true);
    expect(heard).toEqual({ complaints: [], strangers: [] });
    await close();
  });

  test("is not injected without the token", async () => {
    const { page, close } = await openPage();
    await page.locator("#inject").click();
    await page.locator("#answer", { hasText: "token" }).waitFor();
    await expect.poll(() => page.locator("#token-row").isVisible()).toBe(true);
    expect((await summary()).simulation?.injected).toEqual([]);
    await close();
  });

  test("of markup in bios and headers stays text, and runs nothing", async () => {
    const { page, heard, close } = await openPage({ hash: `#token=${station.token}` });
    const before = (await summary()).observations;
    await page.locator("#effect").selectOption("markup");
    await page.locator("#inject").click();
    // V1's own Retry-After from the test before may still be kept: some ten seconds.
    await expect
      .poll(async () => (await summary()).observations, { timeout: 40_000 })
      .toBeGreaterThan(before + 6);
    await page.locator(".number").first().click();
    await page.getByRole("dialog").locator("tbody button").first().click();
    await page.getByRole("heading", { name: "Explained" }).waitFor();
    expect(await page.locator("script").count()).toBe(1);
    expect(await page.content()).not.toMatch(/<script>|alert\(/);
    expect(heard).toEqual({ complaints: [], strangers: [] });
    await page.keyboard.press("Escape");
    await page.locator("#clear").click();
    await close();
  });
});

describe("a restart", () => {
  test("is lived through: the page connects again and shows what came meanwhile", async () => {
    const { page, close } = await openPage();
    await page.locator("#live", { hasText: "live" }).waitFor();
    const { port } = new URL(station.url);
    const before = (await summary()).observations;
    await station.stop();
    await page.locator("#live", { hasText: "not connected" }).waitFor();
    station = await startStation("realistic", { folder: place.folder, port: Number(port) });
    await page.locator("#live", { hasText: "live" }).waitFor({ timeout: 40_000 });
    await expect
      .poll(async () =>
        Number.parseInt(((await page.locator("#footer").textContent()) ?? "").replace(",", ""), 10),
      )
      .toBeGreaterThan(before);
    await close();
  });
});
