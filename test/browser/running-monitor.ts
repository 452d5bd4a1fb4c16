// Starts a monitor of the simulated V1 with a short cadence, and Chromium to open its page.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { createReadinessReader, renderReport } from "../../lib/commands/up/target.ts";
import type { Channel } from "../../lib/delivery/channels/channel.ts";
import { type Monitor, startMonitor } from "../../lib/local/monitor.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../../lib/local/simulation.ts";
import { openStore } from "../../lib/local/store/store.ts";
import type { ScenarioName } from "../../lib/simulator/scenarios.ts";
import { minuteMs } from "../../lib/time.ts";
import { searchFolder } from "../sentinels.ts";

export type RunningMonitor = { monitor: Monitor; url: string; token: string; stop(): Promise<void> };

type MonitorOptions = {
  folder?: string;
  port?: number;
  everySeconds?: number;
  channels?: readonly Channel[];
  /** What V1 did before the page is opened, oldest first. It is played on a virtual clock that ends now. */
  past?: readonly { scenario: ScenarioName; minutes: number }[];
};

export async function startRunningMonitor(
  scenario: ScenarioName,
  options: MonitorOptions = {},
): Promise<RunningMonitor> {
  const { folder = mkdtempSync(join(tmpdir(), "v1watch-page-")), port = 0, past = [] } = options;
  let virtualMs: number | undefined;
  const nowMs = () => virtualMs ?? Date.now();
  const pastMs = past.reduce((sum, { minutes }) => sum + minutes * minuteMs, 0);
  if (pastMs > 0) virtualMs = Date.now() - pastMs;
  const simulation = await startSimulation({
    scenario: past[0]?.scenario ?? scenario,
    clock: { now: nowMs },
  });
  const config = configForSimulator(
    simulation.simulator.url,
    options.everySeconds ?? 2,
    join(folder, "simulator.db"),
  );
  const opened = openStore(config.store, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const stopping = new AbortController();
  const monitor = await startMonitor({
    config,
    store: opened.store,
    simulation,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    channels: options.channels ?? [],
    allowLoopback: true,
    mode: "simulator",
    signal: stopping.signal,
    nowMs,
    page: { port, host: "127.0.0.1", allowHosts: [], version: "0.0.0" },
    renderReport: () => renderReport(opened.store, config, nowMs()),
    readReadiness: createReadinessReader(opened.store, config, nowMs),
    onTick() {},
  });
  for (const [index, { scenario: name, minutes }] of past.entries()) {
    if (index > 0) simulation.start(name);
    const startMs = nowMs();
    // The last of it lasts until now, which moves on while it is played.
    const isOver = (ms: number) =>
      ms >= (index === past.length - 1 ? Date.now() : startMs + minutes * minuteMs);
    while (virtualMs !== undefined && !isOver(virtualMs))
      virtualMs = Math.max(virtualMs + 1_000, (await monitor.once()).nextTickMs);
  }
  virtualMs = undefined;
  if (past.length > 0 && past.at(-1)?.scenario !== scenario) simulation.start(scenario);
  const running = monitor.run();
  const stop = async () => {
    stopping.abort();
    await running;
    await monitor.close();
    await simulation.simulator.close();
  };
  return { monitor, url: monitor.server?.url ?? "", token: monitor.token, stop };
}

/** Its files are searched for keys and people when it is removed. */
export function makeTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-page-"));
  const remove = () => {
    const hits = searchFolder(folder);
    rmSync(folder, { recursive: true, force: true });
    if (hits.length > 0) throw new Error(hits.join("; "));
  };
  return { folder, remove };
}

export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
      ...["--no-first-run", "--disable-component-update", "--disable-sync"],
    ],
  });
  // For what never comes; a busy machine is slow, and not wrong.
  browser.on("context", (context) => context.setDefaultTimeout(300_000));
  return browser;
}

/** Collects the page's errors, warnings and dialogs, and its requests to other servers than its own. */
export function recordProblems(page: Page, url: string): { errors: string[]; foreignRequests: string[] } {
  const problems = { errors: [] as string[], foreignRequests: [] as string[] };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.errors.push(message.text());
  });
  page.on("pageerror", (error) => problems.errors.push(error.message));
  page.on("dialog", (dialog) => {
    problems.errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) problems.foreignRequests.push(request.url());
  });
  return problems;
}

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** The accessibility violations that axe finds. */
export async function findViolations(page: Page): Promise<string[]> {
  // Injected through the debugger, so that the page's content security policy stays in force.
  await page.evaluate(axe);
  return page.evaluate(
    "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' ')))",
  );
}
