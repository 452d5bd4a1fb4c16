// A page whose monitor is gone says so: the stream ends, the process is killed, or the laptop slept.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  findViolations,
  launchBrowser,
  makeTemporaryFolder,
  type RunningMonitor,
  startRunningMonitor,
} from "./running-monitor.ts";

let browser: Browser;
let monitor: RunningMonitor;
let link: Link;
const storage = makeTemporaryFolder();
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  monitor = await startRunningMonitor("healthy", storage);
  link = await startLink(Number(new URL(monitor.url).port));
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

afterAll(async () => {
  link.close();
  await monitor.stop();
  await browser.close();
  storage.remove();
});

type Link = { url: string; freeze(): void; thaw(): void; close(): void };

/** The way between browser and monitor. Frozen, it accepts connections and carries nothing, without an error. */
async function startLink(port: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("data", (bytes) => void (isFrozen || other.write(bytes)));
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        if (!isFrozen) other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze() {
      isFrozen = true;
    },
    thaw() {
      isFrozen = false;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The clock of the page is the test's: it runs on as usual, and can be moved forward. */
async function openPage(url: string, scheme: "light" | "dark" = "light"): Promise<Page> {
  const page = await browser.newPage({ colorScheme: scheme });
  cleanups.push(() => page.close());
  await page.clock.install();
  await page.goto(url);
  await page.locator("#connection", { hasText: /\bconnected/ }).waitFor();
  await page.locator("#status .alarm.ok").waitFor();
  return page;
}

const headline = (page: Page) => page.locator("#status .alarm");
const noData = /^○ No data since (?:\d{4}-\d\d-\d\d )?\d\d:\d\d: the monitor does not answer/;

async function expectNoData(page: Page): Promise<void> {
  await headline(page).filter({ hasText: noData }).waitFor();
  expect(await headline(page).getAttribute("class")).toBe("alarm unknown");
  expect(await headline(page).count()).toBe(1);
  expect(await headline(page).textContent()).toContain("Last known: V1");
  expect(await page.title()).toMatch(/^No data since (?:\d{4}-\d\d-\d\d )?\d\d:\d\d$/);
  const icon = (await page.locator("#icon").getAttribute("href")) ?? "";
  // It is drawn without the server, which is gone, and the page's policy allows it.
  expect(decodeURIComponent(icon)).toMatch(/^data:image\/svg\+xml,<svg.*#59636e/s);
  const width = await page.evaluate(
    `new Promise((resolve) => { const image = new Image(); image.onload = () => resolve(image.naturalWidth); image.onerror = () => resolve("refused"); image.src = document.getElementById("icon").href; })`,
  );
  expect(width).toBeGreaterThan(0);
}

async function expectData(page: Page): Promise<void> {
  await page.locator("#status .alarm.ok").waitFor();
  expect(await page.title()).toMatch(/^V1/);
  expect(await page.locator("#icon").getAttribute("href")).toBe("/icon.svg?tone=ok");
}

describe("A page that hears nothing from its monitor", () => {
  test("A page that hears nothing from its monitor stays as it is for one missed heartbeat and turns grey with the second, in headline, title and icon", async () => {
    const page = await openPage(link.url);
    link.freeze();
    cleanups.push(link.thaw);
    await page.clock.runFor(20_000);
    expect(await headline(page).getAttribute("class")).toBe("alarm ok");
    await page.clock.runFor(14_000);
    await expectNoData(page);
    link.thaw();
    // The connections of before the silence are never heard of again; the page opens others.
    await page.clock.runFor(16_000);
    await expectData(page);
  });

  test("A page that hears nothing from its monitor turns grey at once when a laptop wakes from its sleep, and asks over a new connection", async () => {
    const page = await openPage(link.url);
    link.freeze();
    cleanups.push(link.thaw);
    await page.clock.fastForward("08:00:00");
    await expectNoData(page);
    link.thaw();
    await page.clock.runFor(16_000);
    await expectData(page);
  });

  test.each(["light", "dark"] as const)(
    "A page that hears nothing from its monitor has no accessibility violation, %s",
    async (scheme) => {
      const page = await openPage(link.url, scheme);
      link.freeze();
      cleanups.push(link.thaw);
      await page.clock.runFor(34_000);
      await expectNoData(page);
      await page.screenshot({ path: `.v1watch/screenshots/no-data-${scheme}.png` });
      await page.clock.resume();
      expect(await findViolations(page)).toEqual([]);
    },
  );
});

test("A page turns grey while events arrive but the summary cannot be loaded", async () => {
  const page = await openPage(monitor.url);
  await page.route("**/api/summary*", (route) => route.fulfill({ status: 500, json: { error: "broken" } }));
  // The monitor has a tick every 2 s, and every event asks for the summary.
  await page.waitForResponse((response) => response.status() === 500);
  await page.clock.runFor(34_000);
  await expectNoData(page);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await expectData(page);
});

describe("A page of a monitor in a process of its own", () => {
  async function startProcess(folder: string, port: number): Promise<{ child: ChildProcess; url: string }> {
    const child = spawn(
      process.execPath,
      [join(process.cwd(), "bin/v1watch.ts"), "up", "--every", "2", "--port", String(port)],
      { cwd: folder, stdio: ["ignore", "pipe", "ignore"] },
    );
    cleanups.push(() => child.kill("SIGKILL"));
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /^dashboard (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
      if (url) return { child, url };
    }
    throw new Error("the monitor did not start");
  }

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "A page of a monitor in a process of its own turns grey after %s, and shows data again when the monitor is started again",
    async (signal) => {
      const { folder, remove } = makeTemporaryFolder();
      cleanups.push(remove);
      const { child, url } = await startProcess(folder, 0);
      const page = await openPage(url);
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
      await page.locator("#connection", { hasText: "disconnected" }).waitFor();
      expect(await headline(page).getAttribute("class")).toBe("alarm ok");
      await page.clock.runFor(34_000);
      await expectNoData(page);
      await startProcess(folder, Number(new URL(url).port));
      await page.clock.runFor(16_000);
      await expectData(page);
    },
  );
});
