// The page in Chromium, served by a monitor that checks the simulator.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Summary } from "../../lib/local/server/api-schemas.ts";
import { naughtyStrings } from "../naughty-strings.ts";
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

beforeAll(async () => {
  browser = await launchBrowser();
  monitor = await startRunningMonitor("realistic", storage);
});

afterAll(async () => {
  await monitor.stop();
  await browser.close();
  storage.remove();
});

type View = { width?: number; height?: number; scheme?: "light" | "dark"; path?: string };

async function openPage({ width = 1_280, height = 900, scheme = "light", path = "/" }: View = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  const problems = recordProblems(page, monitor.url);
  await page.goto(`${monitor.url}${path}`);
  await page.locator("#nav a").first().waitFor();
  return { page, problems, close: () => context.close() };
}

const withToken = (path = "/") => `${path}#token=${monitor.token}`;
const fetchJson = async <T>(path: string) => (await (await fetch(`${monitor.url}${path}`)).json()) as T;
const fetchSummary = () => fetchJson<Summary>("/api/summary");

const routes = [
  ["/", "Overview", ".endpoint .plot canvas"],
  ["/incidents", "Incidents", "h2:text('Incidents')"],
  ["/drift", "Drift", "#drift-rows td"],
  ["/deprecation", "Deprecation", "h2:text('Deprecation headers')"],
  ["/readiness", "Readiness", "h2:text('Readiness')"],
  ["/undocumented", "Undocumented", "h2:text('Undocumented behaviour')"],
  ["/notifications", "Notifications", "h2:text('Notifications')"],
  ["/checks", "Checks", "td a"],
  ["/simulator", "Simulator", "#inject"],
] as const;

async function latestCheck(): Promise<string> {
  const [row] = await fetchJson<{ id: string }[]>("/api/observations?endpoint=passport-list&limit=1");
  return `/checks/${row?.id}`;
}

describe("the page", () => {
  test("The page loads without errors and sends requests only to its own server", async () => {
    const { page, problems, close } = await openPage();
    await page.locator("#connection", { hasText: /\bconnected/ }).waitFor();
    await page.waitForTimeout(2_500);
    expect(problems).toEqual({ errors: [], foreignRequests: [] });
    await close();
  });

  test.each(routes)(
    "The page %s can be reached by its URL and by the keyboard",
    async (path, name, content) => {
      const direct = await openPage({ path });
      await direct.page.locator(content).first().waitFor();
      expect(await direct.page.locator('#nav a[aria-current="page"]').textContent()).toContain(name);
      await direct.close();
      const { page, close } = await openPage({ path: path === "/" ? "/drift" : "/" });
      await page.keyboard.press("Tab");
      const focused = () => page.evaluate<string>("document.activeElement.textContent");
      for (let presses = 0; presses < 40 && !(await focused()).startsWith(name); presses += 1)
        await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.locator(content).first().waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      await page.goBack();
      await page.locator('#nav a[aria-current="page"]', { hasNotText: name }).waitFor();
      await close();
    },
  );

  test("The page shows the endpoints, measures and checks of the API", async () => {
    const { page, close } = await openPage();
    await expect.poll(async () => (await fetchSummary()).drift.total).toBeGreaterThan(0);
    const summary = await fetchSummary();
    // The monitor continues meanwhile, so the page gets the same summary as the assertions.
    await page.route("**/api/summary", (route) => route.fulfill({ json: summary }));
    await page.reload();
    await page.locator(".endpoint").nth(2).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(summary.verdict.sentence);
    expect(await page.locator(".endpoint h2").allTextContents()).toEqual(
      summary.cards.map(({ endpoint }) => endpoint),
    );
    const words = await page.locator(".endpoint .word").allTextContents();
    for (const [index, { word }] of summary.cards.entries()) expect(words[index]).toContain(word);
    const numbers = await page.locator(".endpoint dd").allTextContents();
    expect(numbers).toEqual(summary.cards.flatMap(({ measures }) => measures.map(({ text }) => text)));
    await close();
  });

  test("The page shows a check that is chosen in the heartbeat strip, and goes back", async () => {
    const { page, close } = await openPage();
    const cell = page.locator(".endpoint .strip a").last();
    await cell.hover();
    expect(await page.locator("#tip").textContent()).toMatch(/^\d\d:\d\d.* · (?:\d+ checks, ok|ok, \d+ ms)/);
    await cell.click();
    await page.getByRole("heading", { name: "Timings" }).waitFor();
    const text = (await page.locator("main").textContent()) ?? "";
    for (const part of ["Headers of interest", "Findings", "section 4.3", "Total", "{passport id}"])
      expect(text).toContain(part);
    await page.goBack();
    await page.locator(".endpoint").first().waitFor();
    await close();
  });

  test("The page moves in the heartbeat strip with the arrow keys, and keeps the focus when data is refreshed", async () => {
    const { page, close } = await openPage();
    const last = page.locator(".endpoint .strip a[tabindex='0']").first();
    await last.focus();
    await page.keyboard.press("ArrowLeft");
    const key = await page.evaluate("document.activeElement.dataset.key");
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toContain("ok");
    await page.waitForTimeout(4_500);
    expect(await page.evaluate("document.activeElement.dataset.key")).toBe(key);
    await close();
  });

  test("The page shows a reading in every chart at the crosshair of one, and the data as a table", async () => {
    const { page, close } = await openPage();
    await page.locator(".plot canvas").nth(2).waitFor();
    const box = await page.locator(".u-over").first().boundingBox();
    if (!box) throw new Error("no chart");
    await page.mouse.move(box.x + box.width * 0.8, box.y + 50);
    const readings = page.locator(".reading");
    for (let index = 0; index < 3; index += 1)
      await expect.poll(() => readings.nth(index).textContent()).toMatch(/\d\d:\d\d.* · (?:\d.* ms|unknown)/);
    await page.locator(".data summary").first().click();
    await page.locator(".data tbody tr").first().waitFor();
    await page.getByRole("button", { name: "Failures" }).click();
    await page.locator(".data th", { hasText: "Failures" }).first().waitFor();
    expect(page.url()).toContain("measure=failures");
    await close();
  });

  test("The page links to the latest report, which is shown with its own styles and nothing else", async () => {
    const { page, problems, close } = await openPage();
    await page.getByRole("link", { name: "Latest report" }).click();
    await page.locator("main h1").waitFor();
    expect(page.url()).toBe(`${monitor.url}/report`);
    expect(await page.evaluate("document.styleSheets.length")).toBe(1);
    expect(problems).toEqual({ errors: [], foreignRequests: [] });
    await close();
  });

  test("The page filters the checks and the drift history, with the filter in the URL", async () => {
    const { page, close } = await openPage({ path: "/checks" });
    await page.locator("#filter-endpoint").selectOption("passport");
    await expect.poll(() => page.url()).toContain("endpoint=passport");
    const endpoints = page.locator("tbody td:nth-child(2)");
    await expect.poll(async () => new Set(await endpoints.allTextContents())).toEqual(new Set(["passport"]));
    await page.locator("#nav a", { hasText: "Drift" }).click();
    await page.locator("#drift-text").fill("follower_count");
    await expect.poll(() => page.locator("#drift-rows code").allTextContents()).toHaveLength(1);
    expect(await page.locator("#drift-rows").textContent()).toContain("string → number");
    expect(page.url()).toContain("text=follower_count");
    await close();
  });

  test("The page shows the 404 of an id that must not exist as good, in the list and on its own page", async () => {
    const findRow = async () =>
      (await fetchJson<{ id: string }[]>("/api/observations?variant=unknown-id&limit=1"))[0];
    await expect.poll(findRow).toBeTruthy();
    const { page, close } = await openPage({ path: "/checks?variant=unknown-id" });
    const row = page.locator("main tbody tr").first();
    await row.filter({ hasText: "404, as expected" }).waitFor();
    expect(await row.locator(".mark.ok").count()).toBe(1);
    await row.locator("a").click();
    await page.locator(".waterfall").waitFor();
    expect(await page.locator("main h2 .mark.ok").count()).toBe(1);
    await close();
  });

  test("The page shows times in UTC or in the time zone of the browser", async () => {
    const context = await browser.newContext({ timezoneId: "Asia/Kolkata" });
    const page = await context.newPage();
    await page.goto(`${monitor.url}${await latestCheck()}`);
    const time = page.locator("h2 time");
    const utc = await time.textContent();
    const instant = (await time.getAttribute("datetime")) ?? "";
    expect(utc).toContain(instant.slice(11, 19));
    await page.getByRole("button", { name: "Local" }).click();
    const local = new Date(Date.parse(instant) + 5.5 * 3_600_000).toISOString();
    await expect.poll(() => time.textContent()).toContain(local.slice(11, 19));
    await page.reload();
    await expect.poll(() => time.textContent()).toContain(local.slice(11, 19));
    await context.close();
  });

  test.each([
    ["light", 1_600],
    ["dark", 1_600],
    ["light", 1_024],
    ["dark", 1_024],
    ["light", 360],
    ["dark", 360],
  ] as const)(
    "The page has no accessibility violation and nothing wider than the screen in any view, %s, %i px",
    async (scheme, width) => {
      const { page, close } = await openPage({ scheme, width });
      for (const [path, , content] of [...routes, [await latestCheck(), "", ".waterfall"] as const]) {
        await page.goto(`${monitor.url}${path}`);
        await page.locator(content).first().waitFor();
        await page.evaluate("for (const node of document.querySelectorAll('details')) node.open = true");
        expect(await findViolations(page), path).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(width);
      }
      await close();
    },
  );

  test("The page enforces its content security policy against inline styles and markup", async () => {
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
  const alarm = (page: Page, id: string) => page.locator(`#status [data-incident^="${id}"]`);

  test("Fault injection opens an incident on the page without a reload and resolves it after the fault is cleared", async () => {
    const { page, problems, close } = await openPage({ path: withToken("/simulator") });
    expect(page.url()).toBe(`${monitor.url}/simulator`);
    await page.evaluate("globalThis.sameDocument = true");
    await page.locator("#effect").selectOption("status");
    await page.locator("#inject").click();
    await alarm(page, "down").waitFor();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "V1 is down" }).waitFor();
    await page.locator("#nav a", { hasText: "Notifications" }).click();
    const notification = page.locator("details.alert", { hasText: "V1 is down on all 3 endpoints (503)" });
    await notification.locator("summary").click();
    expect(await notification.locator("pre").textContent()).toMatch(/\nNext steps +1\. /);
    await page.locator("#nav a", { hasText: "Simulator" }).click();
    await page.locator("#clear-faults").click();
    await alarm(page, "down").waitFor({ state: "detached" });
    await page.locator("#nav a", { hasText: "Notifications" }).click();
    await page.locator("main", { hasText: "RESOLVED" }).waitFor();
    expect(await page.evaluate("globalThis.sameDocument")).toBe(true);
    expect(problems).toEqual({ errors: [], foreignRequests: [] });
    await close();
  });

  test("Fault injection is refused without the token", async () => {
    const { page, close } = await openPage({ path: "/simulator" });
    await page.locator("#inject").click();
    await page.locator("#panel-message", { hasText: "token" }).waitFor();
    expect(await page.locator("#token-row").isVisible()).toBe(true);
    expect((await fetchSummary()).simulation?.injected).toEqual([]);
    await close();
  });

  test("Fault injection says on which endpoints an effect cannot be injected, and why", async () => {
    const { page, close } = await openPage({ path: "/simulator" });
    await page.locator("#effect").selectOption("unsorted");
    expect(await page.locator("#effect-limits").textContent()).toContain(
      "Not on passport: the response is one record, not a list.",
    );
    expect(await page.locator("#effect-endpoint option[value=passport]").isDisabled()).toBe(true);
    expect(await page.locator("#effect-endpoint option[value=passport-list]").isDisabled()).toBe(false);
    await close();
  });

  test("Fault injection of markup in bios and headers is shown as text and runs no script", async () => {
    const { page, problems, close } = await openPage({ path: withToken("/simulator") });
    const before = (await fetchSummary()).observations;
    await page.locator("#effect").selectOption("markup");
    await page.locator("#inject").click();
    await expect.poll(async () => (await fetchSummary()).observations).toBeGreaterThan(before + 6);
    await page.goto(`${monitor.url}${await latestCheck()}`);
    await page.locator(".waterfall").waitFor();
    expect(await page.locator("script").count()).toBe(2);
    expect(await page.content()).not.toMatch(/<script>|alert\(/);
    expect(problems).toEqual({ errors: [], foreignRequests: [] });
    await page.goto(`${monitor.url}/simulator`);
    await page.locator("#clear-faults").click();
    await page.locator("#panel-message", { hasText: "cleared" }).waitFor();
    await close();
  });
});

test("A maintenance window is set at the foot of the page, shown while it is open, and ended before its time", async () => {
  const { page, problems, close } = await openPage({ path: withToken() });
  const openWindow = async (reason: string) => {
    await page.locator("#maintenance").click();
    await page.locator("#reason").fill(reason);
  };
  await openWindow("the database is moved");
  await page.keyboard.press("Enter");
  await page.locator("#problems .quiet", { hasText: "the database is moved" }).waitFor();
  await openWindow("it is moved");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator("#problems .quiet").waitFor({ state: "detached" });
  expect(problems).toEqual({ errors: [], foreignRequests: [] });
  await close();
});

describe("a naughty string in every text of the API", () => {
  const textNames = new Set(
    "path observed expected reason text subject title detail impact why summary value answer question name says".split(
      " ",
    ),
  );
  const naughty = naughtyStrings.join(" ");

  /** Replaces the texts of a response, and leaves the numbers, instants and fixed names that the page computes with. */
  const fill = (value: unknown, name = ""): unknown => {
    if (typeof value === "string")
      return textNames.has(name) && !/^\d{4}-/.test(value) ? `${value} ${naughty}` : value;
    if (Array.isArray(value)) return value.map((item) => fill(item, name));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, key)]));
  };

  /** The kinds of elements with their attributes, and the addresses of all links. */
  const readDocument = (page: Page) =>
    page.evaluate(`({
      kinds: [...new Set([...document.querySelectorAll("*")].map(({ localName, attributes }) => localName + " " + [...attributes].map(({ name }) => name).filter((name) => /^on|src|srcdoc/.test(name)).join()))],
      links: [...document.querySelectorAll("a[href]")].map(({ href }) => new URL(href).origin),
    })`) as Promise<{ kinds: string[]; links: string[] }>;

  test.each(routes.slice(1))(
    "A naughty string in every text of the API is shown as text on %s, which has the same kinds of elements",
    async (path, _name, content) => {
      const plain = await openPage({ path });
      await plain.page.locator(content).first().waitFor();
      const expected = await readDocument(plain.page);
      await plain.close();
      const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
      const page = await context.newPage();
      const problems = recordProblems(page, monitor.url);
      await page.route(/\/api\/(?!events)/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: fill(await response.json()) });
      });
      await page.goto(`${monitor.url}${path}`);
      await page.locator(content).first().waitFor();
      const { kinds, links } = await readDocument(page);
      expect(kinds.filter((kind) => !expected.kinds.includes(kind))).toEqual([]);
      expect(links.filter((origin) => !expected.links.includes(origin))).toEqual([]);
      expect(problems).toEqual({ errors: [], foreignRequests: [] });
      // A response may still be on its way.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    },
  );

  test("A naughty string in every text of the API is on the page as it is", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route("**/api/drift*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: fill(await response.json()) });
    });
    await page.goto(`${monitor.url}/drift`);
    await page.locator("#drift-rows td").first().waitFor();
    expect(await page.locator("#drift-rows").first().textContent()).toContain("<script>alert(1)</script>");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });
});

describe("a restart of the monitor", () => {
  test("A restart of the monitor makes the page reconnect and show the new observations", async () => {
    const { page, close } = await openPage();
    const connection = (text: RegExp) => page.locator("#connection", { hasText: text });
    await connection(/\bconnected/).waitFor();
    const { port } = new URL(monitor.url);
    const before = (await fetchSummary()).observations;
    await monitor.stop();
    await connection(/disconnected/).waitFor();
    monitor = await startRunningMonitor("realistic", { folder: storage.folder, port: Number(port) });
    await connection(/\bconnected/).waitFor();
    const shown = async () =>
      Number(
        /([\d,]+) checks?/.exec((await page.locator("#facts").textContent()) ?? "")?.[1]?.replace(",", ""),
      );
    await expect.poll(shown).toBeGreaterThan(before);
    await close();
  });
});
