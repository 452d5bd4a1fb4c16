// The report in a real Chromium: on screens of two widths, and on sheets of A4 that are read back as text.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { v1Fields } from "../../lib/mapping/fields.ts";
import type { Report } from "../../lib/records/report.ts";
import { renderHtml } from "../../lib/report/html.ts";
import { buildReport } from "../../lib/report/model.ts";
import { consumerOf } from "../readiness/ready-facts.ts";
import { fullInput } from "../report/full-input.ts";
import { launch, makeFolder } from "./station.ts";

let browser: Browser;
const place = makeFolder();

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  place.remove();
});

/** Every table is long, and file names are as long as they are in real trees. */
function manyConsumers(say?: string): Report {
  const input = fullInput(say);
  const consumers = Array.from({ length: 90 }, (_, index) =>
    consumerOf({
      name: `services/reputation-${index}/src/clients/passport/passport-client.ts`,
      owners: [`team-${index % 7}`],
      status: "v1",
      uses: [
        {
          ...{ file: `services/reputation-${index}/src/client.ts`, line: index, endpoint: "passport" },
          fields: v1Fields.map(({ path }) => path).filter((path) => path.startsWith("passport.")),
        },
      ],
    }),
  );
  const facts = { ...input.facts, consumers: [...(input.facts.consumers ?? []), ...consumers] };
  return buildReport({ ...input, facts });
}

type View = { width?: number; scheme?: "light" | "dark" };

async function openReport(report: Report, { width = 1_200, scheme = "light" }: View = {}): Promise<Page> {
  const file = join(place.folder, "report.html");
  writeFileSync(file, renderHtml(report));
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  await page.goto(`file://${file}`);
  return page;
}

/** The text of each sheet, as another program reads it. */
async function print(page: Page): Promise<string[]> {
  const file = join(place.folder, "report.pdf");
  await page.pdf({ path: file, preferCSSPageSize: true });
  const text = execFileSync("pdftotext", ["-raw", file, "-"], { encoding: "utf8", maxBuffer: 2 ** 26 });
  return text.split("\f").slice(0, -1);
}

/**
 * Marks what must stay together: each row's cells at both ends, figures, entries of lists, and headings
 * with the first line after them. The marks are text, one pixel high.
 */
const markWholes = `(() => {
  let count = 0;
  const mark = (id) => {
    const span = document.createElement("span");
    span.style.cssText = "font-size:1px;white-space:nowrap";
    span.textContent = "@" + id + "@ ";
    return span;
  };
  const around = (id, node) => { node.prepend(mark(id)); node.append(mark(id)); };
  for (const row of document.querySelectorAll("tr")) { count += 1; for (const cell of row.cells) around("w" + count, cell); }
  for (const node of document.querySelectorAll("figure, li, .time")) { count += 1; around("w" + count, node); }
  for (const heading of document.querySelectorAll("h2, h3")) {
    count += 1;
    heading.append(mark("w" + count));
    const next = heading.nextElementSibling;
    (next.querySelector("td, figcaption, p") ?? next).prepend(mark("w" + count));
  }
  return count;
})()`;

describe("on paper", () => {
  test("no row, chart, entry or heading is cut or left alone at a page's end", async () => {
    const page = await openReport(manyConsumers());
    const wholes = Number(await page.evaluate(markWholes));
    const sheets = await print(page);
    const seen = new Map<string, Set<number>>();
    for (const [index, sheet] of sheets.entries()) {
      for (const [, id = ""] of sheet.matchAll(/@(w\d+)@/g))
        seen.set(id, (seen.get(id) ?? new Set()).add(index));
    }
    const heads = await page.locator("thead tr").count();
    const cut = [...seen].filter(([, on]) => on.size > 1);
    expect(seen.size).toBe(wholes);
    // A table's head is repeated on every sheet that the table reaches.
    expect(cut.length).toBeGreaterThan(0);
    expect(cut.length).toBeLessThan(heads);
    const rows = new Set(await page.locator("thead tr th:first-child span:first-child").allTextContents());
    for (const [id] of cut) expect(rows).toContain(`@${id}@ `);
    await page.close();
  });

  test("the verdict, the blockers, the time and the use fill the first sheet and no other", async () => {
    const report = manyConsumers();
    const page = await openReport(report);
    const [first = "", second = "", ...more] = await print(page);
    const flat = (text: string) => text.replace(/\s+/g, " ");
    expect(flat(first)).toContain(report.verdict.sentence);
    for (const words of ["Blockers", "How long we have", "What we use of V1", "more, in the mapping below"])
      expect(flat(first)).toContain(words);
    const sheets = 2 + more.length;
    expect(flat(second)).toMatch(new RegExp(`^2 of ${sheets} V1 migration readiness Gates `));
    expect(sheets).toBeGreaterThan(5);
    expect(sheets).toBeLessThanOrEqual(14);
    for (const [index, sheet] of [first, second, ...more].entries())
      expect(sheet).toContain(`${index + 1} of ${sheets}
V1 migration readiness`);
    await page.close();
  });

  test("the paper is white and the ink dark, whatever the screen likes", async () => {
    const page = await openReport(manyConsumers(), { scheme: "dark" });
    const colours = () =>
      page.evaluate(
        "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.documentElement))",
      );
    expect(await colours()).toEqual(["rgb(20, 23, 27)", "rgb(230, 233, 237)"]);
    await page.emulateMedia({ media: "print" });
    expect(await colours()).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
    await page.close();
  });

  test.each([
    ["plain", undefined],
    ["one word of 300 letters", "W".repeat(300)],
  ])("no table is wider than the sheet: %s", async (_name, say) => {
    // A4 less its margins is 184 mm; a CSS pixel is 1/96 of an inch.
    const page = await openReport(manyConsumers(say), { width: Math.floor((184 / 25.4) * 96) });
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.close();
  });

  test("our own words are never broken", async () => {
    const page = await openReport(manyConsumers());
    const text = (await print(page)).join("\n");
    for (const word of ["undecided", "transformed", "passport_credentials[].", "breaking", "2.6"])
      expect(text).toContain(word);
    expect(text).not.toMatch(/\b(undecide|transforme?|numbe|passport_social)$/m);
    await page.close();
  });
});

describe("on a screen", () => {
  test.each([
    [360, "light"],
    [360, "dark"],
    [1_200, "light"],
    [1_200, "dark"],
  ] as const)("%i pixels wide, %s: nothing but tables scrolls sideways", async (width, scheme) => {
    for (const say of [undefined, "W".repeat(300)]) {
      const page = await openReport(manyConsumers(say), { width, scheme });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await page.close();
    }
  });
});
