// The page while V1 has a fault: the texts, the tones and the fault injection panel are consistent.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  launchBrowser,
  makeTemporaryFolder,
  type RunningMonitor,
  startRunningMonitor,
} from "./running-monitor.ts";

let browser: Browser;
let monitor: RunningMonitor;
const storage = makeTemporaryFolder();

beforeAll(async () => {
  browser = await launchBrowser();
  monitor = await startRunningMonitor("quota-exhausted", storage);
});

afterAll(async () => {
  await monitor.stop();
  await browser.close();
  storage.remove();
});

async function openPage(width = 1_280): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  await page.goto(`${monitor.url}/#token=${monitor.token}`);
  return page;
}

const classesOf = (page: Page, selector: string) => page.locator(selector).first().getAttribute("class");

describe("an exhausted quota", () => {
  test("is critical in the headline and the title, while the retirement risk has its own tone", async () => {
    const page = await openPage();
    const headline = page.getByRole("heading", { level: 1 });
    // Shown from the first check on, first as not confirmed and later as confirmed.
    await headline.filter({ hasText: "V1 refuses our API key: its quota is exhausted" }).waitFor();
    await headline.filter({ hasNotText: "not confirmed" }).waitFor({ timeout: 40_000 });
    await expect.poll(() => classesOf(page, "#verdict h1 .mark")).toBe("mark critical");
    // Read together, because the sentence may change between two reads.
    const [title, sentence] = await page.evaluate<string[]>(
      "[document.title, document.querySelector('#verdict h1').textContent]",
    );
    expect(title?.replace(/^\(\d+\) /, "")).toBe(sentence?.replace(/^\S+ /, ""));
    expect(await classesOf(page, "#verdict .level")).not.toContain("critical");
    // The anonymous list request was served, so its response was validated.
    const drift = page.locator("#drift-rows", { hasText: "Unknown for passport, passport-credentials:" });
    await drift.waitFor();
    await page.close();
  });

  test("is the scenario of the panel, and a selection that is not started yet is kept", async () => {
    const page = await openPage();
    await page.locator("#fault-status", { hasText: "Scenario quota-exhausted." }).waitFor();
    expect(await page.locator("#scenario").inputValue()).toBe("quota-exhausted");
    await page.locator("#scenario").selectOption("gone");
    await page.waitForTimeout(4_500);
    expect(await page.locator("#scenario").inputValue()).toBe("gone");
    await page.locator("#clear-faults").click();
    await expect.poll(() => page.locator("#scenario").inputValue()).toBe("healthy");
    await page.close();
  });

  test("does not list requests that were never sent as refused", async () => {
    const page = await openPage();
    await page
      .getByRole("button", { name: /Show the observations of passport$/ })
      .first()
      .click();
    const rows = page.getByRole("dialog").locator("tbody");
    await rows.locator("tr").first().waitFor();
    const text = await rows.textContent();
    expect(text).toContain("not asked: no sample");
    expect(text).not.toContain("refused");
    await page.close();
  });
});

test("a V1 with V2's response format is critical and not reported as documented", async () => {
  const other = await startRunningMonitor("serves-v2");
  const page = await browser.newPage();
  await page.goto(`${other.url}/#token=${other.token}`);
  const headline = page.getByRole("heading", { level: 1 });
  await headline.filter({ hasText: /^\S+ V1 answers in V2's shape on / }).waitFor({ timeout: 40_000 });
  await expect.poll(() => classesOf(page, "#verdict h1 .mark")).toBe("mark critical");
  expect(await page.locator("#drift-rows").textContent()).toContain("No response could be validated");
  const card = await page.locator(".card[aria-label=passport-list]").first().textContent();
  expect(card).toContain("breaking drift–");
  await page.close();
  await other.stop();
});

test("a mark and its text are on the same line at a width of 390 px", async () => {
  const page = await openPage(390);
  await page.locator("#undocumented-rows td .mark").first().waitFor();
  const separated =
    await page.evaluate(`[...document.querySelectorAll("#undocumented-rows td")].flatMap((cell) => {
    const mark = cell.querySelector(".mark");
    if (!mark) return [];
    const text = document.createRange();
    text.selectNodeContents(mark.nextSibling);
    const [markBox, textBox] = [mark.getBoundingClientRect(), text.getBoundingClientRect()];
    return markBox.bottom <= textBox.top ? [cell.textContent] : [];
  })`);
  expect(separated).toEqual([]);
  await page.close();
});
