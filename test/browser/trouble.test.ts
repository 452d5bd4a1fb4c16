// The page while V1 is in trouble: its words, its colours and its panel say the same thing.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, makeFolder, type Station, startStation } from "./station.ts";

let browser: Browser;
let station: Station;
const place = makeFolder();

beforeAll(async () => {
  browser = await launch();
  station = await startStation("quota-exhausted", place);
});

afterAll(async () => {
  await station.stop();
  await browser.close();
  place.remove();
});

async function openPage(width = 1_280): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  await page.goto(`${station.url}/#token=${station.token}`);
  return page;
}

const classesOf = (page: Page, selector: string) => page.locator(selector).first().getAttribute("class");

describe("a quota that is used up", () => {
  test("is red in the headline and the tab; how near V1's end is has a colour of its own", async () => {
    const page = await openPage();
    const headline = page.getByRole("heading", { level: 1 });
    // From the first look on: not confirmed, then sure.
    await headline.filter({ hasText: "V1 is alive, but our key's quota is used up" }).waitFor();
    await headline.filter({ hasNotText: "not confirmed" }).waitFor({ timeout: 40_000 });
    await expect.poll(() => classesOf(page, "#verdict h1 .mark")).toBe("mark broken");
    // Both in one look: the sentence goes on while we read.
    const [title, sentence] = await page.evaluate<string[]>(
      "[document.title, document.querySelector('#verdict h1').textContent]",
    );
    expect(title?.replace(/^\(\d+\) /, "")).toBe(sentence?.replace(/^\S+ /, ""));
    expect(await classesOf(page, "#verdict .level")).not.toContain("broken");
    // What was served without the key was compared.
    const drift = page.locator("#drift-rows", { hasText: "Not known of passport, passport-credentials:" });
    await drift.waitFor();
    await page.close();
  });

  test("is the scenario that the panel shows; a choice that is not started yet stays", async () => {
    const page = await openPage();
    await page.locator("#broken", { hasText: "Scenario quota-exhausted." }).waitFor();
    expect(await page.locator("#scenario").inputValue()).toBe("quota-exhausted");
    await page.locator("#scenario").selectOption("gone");
    await page.waitForTimeout(4_500);
    expect(await page.locator("#scenario").inputValue()).toBe("gone");
    await page.locator("#clear").click();
    await expect.poll(() => page.locator("#scenario").inputValue()).toBe("healthy");
    await page.close();
  });

  test("leaves observations that were never asked for: they are not called refused", async () => {
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

test("a V1 in the shape of V2 is red, and nowhere as documented", async () => {
  const other = await startStation("serves-v2");
  const page = await browser.newPage();
  await page.goto(`${other.url}/#token=${other.token}`);
  const headline = page.getByRole("heading", { level: 1 });
  await headline
    .filter({ hasText: /^\S+ V1 answers in the shape of V2; it is/ })
    .waitFor({ timeout: 40_000 });
  await expect.poll(() => classesOf(page, "#verdict h1 .mark")).toBe("mark broken");
  expect(await page.locator("#drift-rows").textContent()).toContain("V1 has shown nothing yet");
  const card = await page.locator(".card[aria-label=passport-list]").first().textContent();
  expect(card).toContain("breaking drift–");
  await page.close();
  await other.stop();
});

test("on a telephone a mark stands beside its word", async () => {
  const page = await openPage(390);
  await page.locator("#gap-rows td .mark").first().waitFor();
  const perEndpointFunctions =
    await page.evaluate(`[...document.querySelectorAll("#gap-rows td")].flatMap((cell) => {
    const mark = cell.querySelector(".mark");
    if (!mark) return [];
    const words = document.createRange();
    words.selectNodeContents(mark.nextSibling);
    const [one, other] = [mark.getBoundingClientRect(), words.getBoundingClientRect()];
    return one.bottom <= other.top ? [cell.textContent] : [];
  })`);
  expect(perEndpointFunctions).toEqual([]);
  await page.close();
});
