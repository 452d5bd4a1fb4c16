// The page while V1 has faults: what is firing is first at every width, and everything on the page follows it.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Summary } from "../../lib/local/server/api-schemas.ts";
import {
  findViolations,
  launchBrowser,
  makeTemporaryFolder,
  type RunningMonitor,
  startRunningMonitor,
} from "./running-monitor.ts";

let browser: Browser;
let monitor: RunningMonitor;
const storage = makeTemporaryFolder();
const fetchText = async (path: string) => (await fetch(`${monitor.url}${path}`)).text();
const fetchSummary = async () => JSON.parse(await fetchText("/api/summary")) as Summary;

beforeAll(async () => {
  browser = await launchBrowser();
  monitor = await startRunningMonitor("quota-exhausted", storage);
  await vi.waitFor(async () => expect((await fetchSummary()).firing.length).toBeGreaterThan(0), {
    timeout: 300_000,
  });
});

afterAll(async () => {
  await monitor.stop();
  await browser.close();
  storage.remove();
});

type View = { width?: number; scheme?: "light" | "dark"; path?: string };

async function openPage({ width = 1_280, scheme = "light", path = "/" }: View = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: scheme });
  await page.goto(`${monitor.url}${path}#token=${monitor.token}`);
  await page.locator("#nav a").first().waitFor();
  return page;
}

const classesOf = (page: Page, selector: string) => page.locator(selector).first().getAttribute("class");

describe("an exhausted quota", () => {
  test.each(
    [360, 1_024, 1_600].flatMap((width) =>
      (["light", "dark"] as const).map((scheme) => [width, scheme] as const),
    ),
  )(
    "An exhausted quota is inside the first viewport at %i px, %s, above everything else",
    async (width, scheme) => {
      const page = await openPage({ width, scheme });
      const first = page.locator("#status .alarm").first();
      const box = await first.boundingBox();
      expect(box && box.y >= 0 && box.y + box.height < 300).toBe(true);
      expect(await first.textContent()).toContain("V1 refuses our API key: its quota is exhausted");
      await page.locator(".endpoint canvas").first().waitFor();
      await page.screenshot({ path: `.v1watch/screenshots/firing-${width}-${scheme}.png` });
      await page.close();
    },
  );

  test("An exhausted quota is red in the headline, the title, the icon and the badge, while the retirement risk has its own tone", async () => {
    const page = await openPage();
    expect(await classesOf(page, "#status .alarm")).toContain("critical");
    expect(await page.title()).toMatch(/^(?:\(\d+\) )?PAGE: V1 refuses our API key/);
    expect(await page.locator("#icon").getAttribute("href")).toBe("/icon.svg?tone=critical");
    for (const path of ["/icon.svg", "/badge.svg"]) expect(await fetchText(path)).toContain("#cf222e");
    expect(await classesOf(page, ".risk .level")).not.toContain("critical");
    await page.close();
  });

  test("An exhausted quota has a page of its own, with facts, checks, notifications and a command that reproduces it", async () => {
    const page = await openPage();
    await page.getByRole("link", { name: "Open" }).first().click();
    const [{ id } = { id: "" }] = (await fetchSummary()).firing;
    await page.getByRole("heading", { name: "Reproduce" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/incidents/${id}`);
    const text = (await page.locator("main").textContent()) ?? "";
    for (const part of ["Facts", "Impact", "Next steps", "Runbook", "curl -sS", "Reopened", "[v1watch] PAGE"])
      expect(text).toContain(part);
    expect(text).not.toContain("a-key-for-the-simulator");
    const refused = page.locator("main tr", { hasText: "401" }).first();
    expect((await refused.locator("td").allTextContents()).slice(-2)).toEqual(["–", "–"]);
    await page.locator("main .strip a").first().click();
    await page.locator(".waterfall").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Reproduce" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Reproduce" }).waitFor();
    await page.close();
  });

  test("An exhausted quota has checks that open although others arrive between press and release", async () => {
    const page = await openPage();
    await page.getByRole("link", { name: "Open" }).first().click();
    const box = await page.locator("main .strip a").first().boundingBox();
    await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 2);
    await page.mouse.down();
    const { observations } = await fetchSummary();
    await vi.waitFor(
      async () => expect((await fetchSummary()).observations).toBeGreaterThan(observations + 3),
      { timeout: 60_000 },
    );
    await page.waitForTimeout(1_000);
    await page.mouse.up();
    await page.locator(".waterfall").waitFor({ timeout: 30_000 });
    await page.close();
  });

  test("An exhausted quota has a check that is shown again after it once failed to load", async () => {
    const page = await openPage();
    await page.getByRole("link", { name: "Open" }).first().click();
    await page.locator("main .strip a").first().click();
    await page.locator(".waterfall").waitFor({ timeout: 30_000 });
    await page.route("**/api/observation?*", (route) => route.abort());
    await page.getByRole("heading", { name: "Failed to load" }).waitFor({ timeout: 60_000 });
    await page.unroute("**/api/observation?*");
    await page.locator(".waterfall").waitFor({ timeout: 60_000 });
    await page.close();
  });

  test("An exhausted quota can be acknowledged, muted and unmuted, each with a reason", async () => {
    const page = await openPage();
    const alarm = page.locator("#status .alarm").first();
    const decide = async (name: string, reason: string) => {
      await alarm.getByRole("button", { name, exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name, exact: false }).first().click();
      // Without a reason the form is not sent.
      expect(await dialog.isVisible()).toBe(true);
      await page.locator("#reason").fill(reason);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "hidden" });
    };
    await decide("Ack", "the owner of the key is informed");
    await alarm.locator(".meta", { hasText: "acknowledged" }).waitFor();
    await decide("Mute", "known until the month ends");
    await alarm.locator(".meta", { hasText: "muted" }).waitFor();
    const [incident] = (await fetchSummary()).firing;
    expect(incident?.decision).toMatch(
      /^acknowledged: the owner of the key is informed; muted until .* UTC: known until the month ends$/,
    );
    await decide("Unmute", "enough");
    await alarm.locator(".meta", { hasNotText: "muted" }).waitFor();
    expect((await fetchSummary()).firing[0]).toMatchObject({ isAcknowledged: true });
    expect((await fetchSummary()).firing[0]?.mutedBy).toBeUndefined();
    await page.close();
  });

  test.each([
    ["UTC", 0],
    ["Local", 5.5],
  ])(
    "An exhausted quota can be muted until a date and time in the chosen time zone: %s",
    async (clock, offsetHours) => {
      const context = await browser.newContext({ timezoneId: "Asia/Kolkata" });
      const page = await context.newPage();
      await page.goto(`${monitor.url}/#token=${monitor.token}`);
      await page.getByRole("button", { name: clock, exact: true }).click();
      const alarm = page.locator("#status .alarm").first();
      await alarm.getByRole("button", { name: "Mute", exact: true }).click();
      expect(await page.locator("#until").isVisible()).toBe(false);
      await page.locator("#end").selectOption("custom");
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      await page.locator("#until").fill(`${tomorrow}T09:30`);
      await page.locator("#reason").fill("until the key's owner is back");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      const end = new Date(Date.parse(`${tomorrow}T09:30Z`) - offsetHours * 3_600_000).toISOString();
      const shown = `${end.slice(0, 10)} ${end.slice(11, 16)} UTC`;
      await expect
        .poll(async () => (await fetchSummary()).firing[0]?.decision)
        .toContain(`muted until ${shown}`);
      await alarm.getByRole("button", { name: "Unmute" }).click();
      await page.locator("#reason").fill("the test is over");
      await page.keyboard.press("Enter");
      await expect.poll(async () => (await fetchSummary()).firing[0]?.mutedBy).toBeUndefined();
      await context.close();
    },
  );

  test.each([
    ["light", 1_600],
    ["dark", 1_600],
    ["light", 360],
    ["dark", 360],
  ] as const)(
    "An exhausted quota has no accessibility violation on its page and in the mute dialog, %s, %i px",
    async (scheme, width) => {
      const [{ id } = { id: "" }] = (await fetchSummary()).firing;
      const page = await openPage({ scheme, width, path: `/incidents/${id}` });
      await page.getByRole("heading", { name: "Reproduce" }).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.screenshot({ path: `.v1watch/screenshots/incident-${width}-${scheme}.png`, fullPage: true });
      await page.locator("main").getByRole("button", { name: "Mute", exact: true }).click();
      await page.locator("#end").selectOption("custom");
      expect(await findViolations(page)).toEqual([]);
      await page.screenshot({ path: `.v1watch/screenshots/mute-${width}-${scheme}.png` });
      await page.close();
    },
  );

  test("An exhausted quota needs the token to be acknowledged", async () => {
    const page = await browser.newPage();
    await page.goto(monitor.url);
    await page.locator("#status .alarm").first().getByRole("button", { name: "Mute", exact: true }).click();
    await page.locator("#reason").fill("a reason");
    await page.keyboard.press("Enter");
    await page.locator("dialog .error", { hasText: "token" }).waitFor();
    expect((await fetchSummary()).firing[0]?.mutedBy).toBeUndefined();
    await page.locator("#token").fill(monitor.token);
    await page.locator("#reason").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expect.poll(async () => (await fetchSummary()).firing[0]?.mutedBy).toBeTruthy();
    await page.close();
  });

  test("An exhausted quota is the scenario of the simulator's view, and a selection that is not started yet is kept", async () => {
    const page = await openPage({ path: "/simulator" });
    await page.locator("#fault-status", { hasText: "Scenario quota-exhausted" }).waitFor();
    expect(await page.locator("#scenario").inputValue()).toBe("quota-exhausted");
    await page.locator("#scenario").selectOption("gone");
    await page.waitForTimeout(4_500);
    expect(await page.locator("#scenario").inputValue()).toBe("gone");
    await page.locator("#clear-faults").click();
    await expect.poll(() => page.locator("#scenario").inputValue()).toBe("healthy");
    await page.close();
  });
});

test("A V1 with V2's response format is critical and not reported as documented", async () => {
  const other = await startRunningMonitor("serves-v2");
  const page = await browser.newPage();
  await page.goto(other.url);
  const headline = page.getByRole("heading", { level: 1 });
  await headline.filter({ hasText: /^V1's passport-list returns V2's shape/ }).waitFor();
  expect(await classesOf(page, "#status .alarm")).toContain("critical");
  expect(await page.locator(".endpoint[aria-label=passport-list] .drift dd").textContent()).toBe("–");
  await page.goto(`${other.url}/drift`);
  await page.locator("main", { hasText: "no response contained data" }).waitFor();
  await page.close();
  await other.stop();
});

test("A mark and its text are on the same line at a width of 390 px", async () => {
  const page = await openPage({ width: 390, path: "/undocumented" });
  await page.locator("td .mark").first().waitFor();
  const separated = await page.evaluate(`[...document.querySelectorAll("td")].flatMap((cell) => {
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
