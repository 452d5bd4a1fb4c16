// The report in Chromium: on screens of two widths, and printed on A4 and read back as text.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { v1Fields } from "../../lib/mapping/fields.ts";
import type { Report } from "../../lib/records/report.ts";
import { renderHtml } from "../../lib/report/html.ts";
import { buildReport } from "../../lib/report/model.ts";
import { consumerOf, useOf } from "../readiness/ready-facts.ts";
import { fullInput } from "../report/full-input.ts";
import { launchBrowser, makeTemporaryFolder } from "./running-monitor.ts";

let browser: Browser;
const storage = makeTemporaryFolder();

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  storage.remove();
});

/** A report with long tables and long file names. `longText` replaces its free texts. */
function manyConsumers(longText?: string): Report {
  const input = fullInput(longText);
  const consumers = Array.from({ length: 90 }, (_, index) =>
    consumerOf({
      name: `services/reputation-${index}/src/clients/passport/passport-client.ts`,
      owners: [`team-${index % 7}`],
      status: "v1",
      uses: [
        useOf(
          `services/reputation-${index}/src/client.ts`,
          index + 1,
          "passport",
          v1Fields.map(({ path }) => path).filter((path) => path.startsWith("passport.")),
        ),
      ],
    }),
  );
  const facts = { ...input.facts, consumers: [...(input.facts.consumers ?? []), ...consumers] };
  return buildReport({ ...input, facts });
}

type View = { width?: number; scheme?: "light" | "dark" };

async function openReport(report: Report, { width = 1_200, scheme = "light" }: View = {}): Promise<Page> {
  const file = join(storage.folder, "report.html");
  writeFileSync(file, renderHtml(report));
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  await page.goto(`file://${file}`);
  return page;
}

/** The text of each printed page, as pdftotext reads it. */
async function print(page: Page): Promise<string[]> {
  const file = join(storage.folder, "report.pdf");
  await page.pdf({ path: file, preferCSSPageSize: true });
  const text = execFileSync("pdftotext", ["-raw", file, "-"], { encoding: "utf8", maxBuffer: 2 ** 26 });
  return text.split("\f").slice(0, -1);
}

/**
 * Inserts markers at the start and the end of everything that must not be split across pages: table cells,
 * figures, list entries, and headings with the first line after them. The markers are text of one pixel height.
 */
const insertMarkers = `(() => {
  let count = 0;
  const mark = (id) => {
    const span = document.createElement("span");
    span.style.cssText = "font-size:1px;white-space:nowrap";
    span.textContent = "@" + id + "@ ";
    return span;
  };
  const around = (id, node) => { node.prepend(mark(id)); node.append(mark(id)); };
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((node) => node.getClientRects().length > 0);
  for (const row of visible("tr")) { count += 1; for (const cell of row.cells) around("w" + count, cell); }
  for (const node of visible("figure, li, .figure")) { count += 1; around("w" + count, node); }
  for (const heading of visible("h2, h3")) {
    count += 1;
    heading.append(mark("w" + count));
    const next = heading.nextElementSibling;
    (next.querySelector("td, figcaption, p") ?? next).prepend(mark("w" + count));
  }
  return count;
})()`;

describe("the printed report", () => {
  test("The printed report splits no row, chart or list entry across pages and leaves no heading alone at the end of a page", async () => {
    const page = await openReport(manyConsumers());
    await page.emulateMedia({ media: "print" });
    const markerCount = Number(await page.evaluate(insertMarkers));
    const pages = await print(page);
    const seen = new Map<string, Set<number>>();
    for (const [index, text] of pages.entries()) {
      for (const [, id = ""] of text.matchAll(/@(w\d+)@/g))
        seen.set(id, (seen.get(id) ?? new Set()).add(index));
    }
    const heads = await page.locator("thead tr:visible").count();
    const split = [...seen].filter(([, on]) => on.size > 1);
    expect(seen.size).toBe(markerCount);
    // A table head is repeated on every page of the table, so its markers appear on several pages.
    expect(split.length).toBeGreaterThan(0);
    expect(split.length).toBeLessThan(heads);
    const rows = new Set(await page.locator("thead tr th:first-child span:first-child").allTextContents());
    for (const [id] of split) expect(rows).toContain(`@${id}@ `);
    await page.close();
  });

  test("The printed report has the verdict, the blockers, the time left and the use of V1 on the first page", async () => {
    const report = manyConsumers();
    const page = await openReport(report);
    const [first = "", second = "", ...more] = await print(page);
    const flat = (text: string) => text.replace(/\s+/g, " ");
    expect(flat(first)).toContain(report.verdict.sentence);
    expect(flat(first)).toContain(report.api.name);
    expect(flat(first)).toContain(report.api.address);
    for (const text of ["Blockers", "How long we have", "What we use of V1", "in the plan below"])
      expect(flat(first)).toContain(text);
    const pageCount = 2 + more.length;
    expect(flat(second)).toMatch(new RegExp(`^2 of ${pageCount} V1 migration readiness Gates `));
    expect(pageCount).toBeGreaterThan(5);
    expect(pageCount).toBeLessThanOrEqual(14);
    for (const [index, text] of [first, second, ...more].entries())
      expect(text).toContain(`${index + 1} of ${pageCount}
V1 migration readiness`);
    await page.close();
  });

  test("The printed report has a white background and dark text even with a dark colour scheme", async () => {
    const page = await openReport(manyConsumers(), { scheme: "dark" });
    const readColours = () =>
      page.evaluate(
        "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.documentElement))",
      );
    expect(await readColours()).toEqual(["rgb(20, 23, 27)", "rgb(230, 233, 237)"]);
    await page.emulateMedia({ media: "print" });
    expect(await readColours()).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
    await page.close();
  });

  test.each([
    ["normal text", undefined],
    ["one word of 300 letters", "W".repeat(300)],
  ])("The printed report has no table wider than the page: %s", async (_name, longText) => {
    // An A4 page without its margins is 184 mm wide; a CSS pixel is 1/96 of an inch.
    const page = await openReport(manyConsumers(longText), { width: Math.floor((184 / 25.4) * 96) });
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.close();
  });

  test("The printed report does not break our own words across lines", async () => {
    const page = await openReport(manyConsumers());
    const text = (await print(page)).join("\n");
    for (const word of ["undecided", "transformed", "passport_credentials[].", "breaking", "2.6"])
      expect(text).toContain(word);
    expect(text).not.toMatch(/\b(undecide|transforme?|numbe|passport_social)$/m);
    await page.close();
  });
});

describe("the report on a screen", () => {
  test("The report on a screen lists every line of the plan, of which paper has only the files", async () => {
    const report = manyConsumers();
    const page = await openReport(report);
    const lines = new Set(report.plan?.lines.map(({ file, line }) => `${file}:${line}`));
    const rows = (kind: string) => page.locator(`section:has(h2:text('Plan')) .${kind} tbody tr:visible`);
    expect(await rows("screen").count()).toBe(lines.size);
    expect(await rows("paper").count()).toBe(0);
    await page.emulateMedia({ media: "print" });
    expect(await rows("screen").count()).toBe(0);
    expect(await rows("paper").count()).toBe(new Set(report.plan?.lines.map(({ file }) => file)).size);
    await page.close();
  });

  test.each([
    [360, "light"],
    [360, "dark"],
    [1_200, "light"],
    [1_200, "dark"],
  ] as const)(
    "The report on a screen scrolls only tables horizontally at %i px, %s",
    async (width, scheme) => {
      for (const longText of [undefined, "W".repeat(300)]) {
        const page = await openReport(manyConsumers(longText), { width, scheme });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        await page.close();
      }
    },
  );
});
