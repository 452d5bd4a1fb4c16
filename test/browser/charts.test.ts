// The charts and heartbeat strips in Chromium: the range that was chosen, zoom by mouse and finger, and the fault first.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Series, Summary } from "../../lib/local/server/api-schemas.ts";
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
  monitor = await startRunningMonitor("key-revoked", {
    folder: storage.folder,
    everySeconds: 30,
    past: [
      { scenario: "healthy", minutes: 12 },
      { scenario: "key-revoked", minutes: 6 },
    ],
  });
});

afterAll(async () => {
  await monitor.stop();
  await browser.close();
  storage.remove();
});

/** The page gets one and the same response again and again, so that nothing moves while it is measured. */
async function openPage(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, ...options });
  const page = await context.newPage();
  const known = new Map<string, unknown>();
  await page.route("**/api/series*", async (route) => {
    const url = route.request().url();
    if (!known.has(url)) known.set(url, await (await route.fetch()).json());
    await route.fulfill({ json: known.get(url) });
  });
  await page.goto(`${monitor.url}${path}`);
  await page.locator(".endpoint .plot canvas").nth(2).waitFor();
  await page.locator(".endpoint .strip a").first().waitFor();
  return page;
}

const close = async (page: Page) => {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().close();
};

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`no ${selector}`);
  return box;
};

const chosen = (page: Page, group: string) =>
  page.locator(`[aria-label=${group}] [aria-pressed=true]`).textContent();

const selectionsOf = (page: Page) =>
  page.evaluate("[...document.querySelectorAll('.u-select')].map(({ offsetWidth }) => offsetWidth)");

const styleOf = (page: Page, selector: string) =>
  page.evaluate<string>(
    `(({ color, backgroundColor }) => color + " on " + backgroundColor)(getComputedStyle(document.querySelector("${selector}")))`,
  );

const hours = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 };

describe.each([360, 1_024, 1_600])("A chart that is %i px wide with its page", (width) => {
  test.each(Object.entries(hours))(
    "The chart shows exactly %s, with every heartbeat above its instant and nothing where nothing was checked",
    async (name, length) => {
      const page = await openPage("/", { viewport: { width, height: 900 } });
      const loaded = page.waitForResponse(`**/api/series?range=${name}`);
      await page.locator("[aria-label=Range] button", { hasText: name }).click();
      const series = (await (await loaded).json()) as Series;
      await expect.poll(() => chosen(page, "Range")).toBe(name);
      const [fromMs, untilMs] = [Date.parse(series.from), Date.parse(series.until)];
      expect(Math.round((untilMs - fromMs) / 3_600_000)).toBe(length);
      const plots = await page.locator(".u-over").all();
      const strips = await page.locator(".endpoint .strip").all();
      for (const [index, { cells }] of series.endpoints.entries()) {
        const plot = await plots[index]?.boundingBox();
        if (!plot) throw new Error("no plot");
        const xOf = (ms: number) => plot.x + (plot.width * (ms - fromMs)) / (untilMs - fromMs);
        const drawn = (await strips[index]?.locator("a").all()) ?? [];
        expect(drawn.length).toBe(cells.length);
        for (const [number, { from, until }] of cells.entries()) {
          const cell = await drawn[number]?.boundingBox();
          if (!cell) throw new Error("no cell");
          const middleMs = until ? (Date.parse(from) + Date.parse(until)) / 2 : Date.parse(from);
          expect(Math.abs(cell.x + cell.width / 2 - xOf(middleMs))).toBeLessThan(2);
        }
      }
      await close(page);
    },
  );

  test("A chart has its label and its threshold beside the plot and not on it", async () => {
    const page = await openPage("/", { viewport: { width, height: 900 } });
    const [label, plot] = [await boxOf(page, ".reading"), await boxOf(page, ".u-over")];
    expect(label.y + label.height).toBeLessThanOrEqual(plot.y);
    expect(await page.locator(".reading").first().textContent()).toContain("threshold");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await close(page);
  });
});

describe("A drag over a chart", () => {
  type Place = readonly [x: number, y: number];

  const mouse = async (page: Page, from: Place, until: Place) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...until, { steps: 5 });
    await page.mouse.up();
  };
  const finger = async (page: Page, from: Place, until: Place) => {
    const devtools = await page.context().newCDPSession(page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", share?: number) => {
      const at = (axis: 0 | 1) => from[axis] + (until[axis] - from[axis]) * (share ?? 0);
      const touchPoints = share === undefined ? [] : [{ x: at(0), y: at(1) }];
      return devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
    await send("touchStart", 0);
    for (let step = 1; step <= 10; step += 1) await send("touchMove", step / 10);
    await send("touchEnd");
  };

  test.each([
    ["the mouse", mouse, {}],
    ["a finger", finger, { hasTouch: true, isMobile: true, viewport: { width: 360, height: 800 } }],
  ] as const)(
    "A drag by %s shows the time that was dragged over, and leaves no selection behind",
    async (_, drag, options) => {
      const page = await openPage("/?range=1h", options);
      const { from, until } = (await (await fetch(`${monitor.url}/api/series?range=1h`)).json()) as Series;
      await page.locator(".u-over").nth(1).scrollIntoViewIfNeeded();
      const plot = await page.locator(".u-over").nth(1).boundingBox();
      if (!plot) throw new Error("no plot");
      const y = plot.y + 40;
      await drag(page, [plot.x + 0.6 * plot.width, y], [plot.x + 0.9 * plot.width, y]);
      await expect.poll(() => new URL(page.url()).searchParams.get("from")).toBeTruthy();
      const query = new URL(page.url()).searchParams;
      const hour = Date.parse(until) - Date.parse(from);
      const shareOf = (name: string) => (Date.parse(query.get(name) ?? "") - Date.parse(from)) / hour;
      expect(shareOf("from")).toBeCloseTo(0.6, 1);
      expect(shareOf("until")).toBeCloseTo(0.9, 1);
      expect(await selectionsOf(page)).toEqual([0, 0, 0]);
      // The way back is in sight at the chart that was dragged over.
      const reset = page.getByRole("button", { name: "Reset zoom" });
      await reset.waitFor();
      const box = await reset.boundingBox();
      expect(box && box.y >= 0 && box.y < 800).toBe(true);
      await reset.click();
      await expect.poll(() => new URL(page.url()).search).toBe("?range=1h");
      await page.goBack();
      await expect.poll(() => new URL(page.url()).searchParams.get("from")).toBe(query.get("from"));
      await page.goBack();
      await expect.poll(() => new URL(page.url()).search).toBe("?range=1h");
      await close(page);
    },
  );

  test("A drag up and down by a finger scrolls the page and zooms nothing", async () => {
    const page = await openPage("/", {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 360, height: 800 },
    });
    const plot = await boxOf(page, ".u-over");
    await finger(page, [plot.x + 100, plot.y + 90], [plot.x + 104, plot.y - 200]);
    await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(100);
    expect(new URL(page.url()).search).toBe("");
    expect(await selectionsOf(page)).toEqual([0, 0, 0]);
    await close(page);
  });
});

test("A 401 outage opens on the chart of 401, unless the reader chose another", async () => {
  const page = await openPage("/");
  expect(await chosen(page, "Chart")).toBe("401");
  await page.locator("[aria-label=Chart] button", { hasText: "Latency" }).click();
  await expect.poll(() => chosen(page, "Chart")).toBe("Latency");
  await page.reload();
  await expect.poll(() => chosen(page, "Chart")).toBe("Latency");
  await close(page);
});

const readSummary = async () => (await (await fetch(`${monitor.url}/api/summary`)).json()) as Summary;

async function openSummary(change: (summary: Summary) => Summary, options: BrowserContextOptions) {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, ...options });
  const page = await context.newPage();
  const summary = change(await readSummary());
  await page.route("**/api/summary*", (route) => route.fulfill({ json: summary }));
  await page.goto(`${monitor.url}/deprecation`);
  await page.locator(".risk .level").waitFor();
  return page;
}

test.each(["light", "dark"] as const)(
  "Every level of the retirement risk has a colour and a shape of its own, %s",
  async (colorScheme) => {
    const levels = ["unknown", "low", "elevated", "high", "imminent", "retired"] as const;
    const looks: { colour: string; shape: string | null }[] = [];
    for (const level of levels) {
      const page = await openSummary((summary) => ({ ...summary, verdict: { ...summary.verdict, level } }), {
        colorScheme,
      });
      looks.push({
        colour: await styleOf(page, ".risk .level"),
        shape: await page.locator(".risk .level .mark").textContent(),
      });
      await close(page);
    }
    for (const part of ["colour", "shape"] as const)
      expect(new Set(looks.map((look) => look[part])).size).toBe(levels.length);
  },
);

test.each([
  ["acknowledged", { isAcknowledged: true }],
  ["muted", { mutedBy: "key-refused" }],
])("An incident that is %s is calmer than one that nobody knows of, and says so", async (word, decided) => {
  const firing = await openSummary((summary) => summary, {});
  const known = await openSummary(
    (summary) => ({ ...summary, firing: summary.firing.map((incident) => ({ ...incident, ...decided })) }),
    {},
  );
  const calm = await styleOf(known, "header");
  expect(await styleOf(firing, "#status .alarm")).not.toBe(calm);
  expect(await styleOf(known, "#status .alarm")).toBe(calm);
  await known.locator("#status .tag", { hasText: word }).waitFor();
  await close(firing);
  await close(known);
});

test("The views are in one row from 1024 px on, whatever their numbers are", async () => {
  for (const width of [1_024, 1_280, 1_600]) {
    const page = await openSummary(
      (summary) => ({
        ...summary,
        firing: Array.from({ length: 12 }, () => summary.firing[0] as Summary["firing"][number]),
        drift: { ...summary.drift, breaking: 14 },
        deprecationHeaders: 10,
      }),
      { viewport: { width, height: 700 } },
    );
    const middles = await page.evaluate<number[]>(
      `[...document.querySelectorAll(".brand, #nav a")].map((node) => {
        const { top, height } = node.getBoundingClientRect();
        return Math.round((top + height / 2) / 8);
      })`,
    );
    expect(middles.length).toBe(10);
    expect(new Set(middles).size, `${width} px`).toBe(1);
    await close(page);
  }
});
