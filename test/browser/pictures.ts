// npm run pictures: the pictures of the README, taken from the running product with the simulator as V1.
// npm run pictures -- FOLDER: the page in each of its situations, at three widths, light and dark.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Summary } from "../../lib/local/server/api-schemas.ts";
import type { ScenarioName } from "../../lib/simulator/scenarios.ts";
import {
  launchBrowser,
  makeTemporaryFolder,
  type RunningMonitor,
  startRunningMonitor,
} from "./running-monitor.ts";
import { startTeam } from "./team.ts";

const browser = await launchBrowser();
const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

const post = ({ url, token }: RunningMonitor, path: string, body: object) =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
const readFiring = async ({ url }: RunningMonitor) =>
  ((await (await fetch(`${url}/api/summary`)).json()) as Summary).firing;

async function takeForReadme(monitor: RunningMonitor) {
  const take = async (name: string, path: string, ready: string, width: number, height: number) => {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.goto(`${monitor.url}${path}`);
    await page.locator(ready).first().waitFor();
    await wait(2);
    await page.screenshot({ path: fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url)) });
    await page.close();
  };
  // A field changes its type after a calm time with a short outage of one endpoint.
  await post(monitor, "/api/simulation/inject", { kind: "status", endpoint: "passport" });
  await wait(60);
  await post(monitor, "/api/simulation/clear", {});
  await wait(90);
  await post(monitor, "/api/simulation/inject", { kind: "retype-field", endpoint: "passport-list" });
  await wait(60);
  await take("dashboard", "/", ".plot canvas", 1_440, 900);
  const [incident] = await readFiring(monitor);
  await take("incident", `/incidents/${incident?.id}`, ".command", 1_440, 900);
  await take("report", "/report", "main h1", 1_000, 1_000);
}

type Situation = {
  name: string;
  scenario: ScenarioName;
  path?: string;
  prepare?(monitor: RunningMonitor): Promise<unknown>;
};

const situations: Situation[] = [
  { name: "healthy", scenario: "healthy" },
  { name: "401", scenario: "key-revoked" },
  { name: "drift", scenario: "silent-retype" },
  { name: "frozen", scenario: "frozen" },
  {
    name: "muted",
    scenario: "key-revoked",
    async prepare(monitor) {
      const [incident] = await readFiring(monitor);
      const until = new Date(Date.now() + 4 * 3_600_000).toISOString();
      await post(monitor, "/api/decisions", {
        kind: "mute",
        subject: incident?.id,
        reason: "the owner of the key is informed",
        until,
      });
    },
  },
  { name: "imminent", scenario: "date-passed-still-alive" },
  { name: "readiness", scenario: "healthy", path: "/readiness" },
];

const views = [360, 1_024, 1_600].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

async function takeSituation(folder: string, { name, scenario, path = "/", prepare }: Situation) {
  const storage = makeTemporaryFolder();
  const past: { scenario: ScenarioName; minutes: number }[] = [
    { scenario: "healthy", minutes: scenario === "healthy" ? 60 : 45 },
    ...(scenario === "healthy" ? [] : [{ scenario, minutes: 15 }]),
  ];
  const monitor = await startRunningMonitor(scenario, { folder: storage.folder, everySeconds: 60, past });
  await prepare?.(monitor);
  const pages = await Promise.all(
    views.map(async ({ width, colorScheme }) => {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      if (name === "healthy") await page.clock.install();
      await page.goto(`${monitor.url}${path}`);
      await page
        .locator(path === "/" ? ".plot canvas" : "main h2")
        .first()
        .waitFor();
      await wait(1);
      const take = (of: string) =>
        page.screenshot({ path: join(folder, `${of}-${width}-${colorScheme}.png`), fullPage: true });
      await take(name);
      return { page, take };
    }),
  );
  await monitor.stop();
  // A page that was healthy hears nothing any more.
  for (const { page, take } of pages) {
    if (name === "healthy" && path === "/") {
      await page.clock.runFor(40_000);
      await page.locator("#status .alarm.unknown").waitFor();
      await take("gone");
    }
    await page.close();
  }
  storage.remove();
}

try {
  const [folder, ...names] = process.argv.slice(2);
  if (folder === undefined) {
    const storage = makeTemporaryFolder();
    const past = [{ scenario: "healthy", minutes: 20 }] as const;
    const team = await startTeam(storage.folder);
    const monitor = await startRunningMonitor("healthy", {
      folder: storage.folder,
      everySeconds: 15,
      past,
      channels: [team.channel],
    });
    await takeForReadme(monitor);
    await monitor.stop();
    team.stop();
    storage.remove();
  } else {
    mkdirSync(folder, { recursive: true });
    for (const situation of situations)
      if (names.length === 0 || names.includes(situation.name)) await takeSituation(folder, situation);
  }
} finally {
  await browser.close();
}
