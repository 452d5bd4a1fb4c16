// The folder lib/contract/v1 is replaced by that of a made-up API of the same kind (contract): a list at the root, ids that are texts,
// another date field and another key header. Everything else is the product: probe, drift, freeze, store, scan, page and report.
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../lib/config/config.ts";
import { buildOpenApi } from "../../lib/contract/openapi.ts";
import { type Monitor, startMonitor } from "../../lib/local/monitor.ts";
import type { Summary } from "../../lib/local/server/api-schemas.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { createStarter } from "../../lib/mapping/starter.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { scanConsumers } from "../../lib/scan/index.ts";
import { run } from "../commands/terminal.ts";
import { makeFolder } from "../local/temporary-folder.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const token = "harbour-token-for-tests";
const folder = makeFolder();
const store = join(folder, "watch.db");
/** Ends shortly before now, because the commands read the clock. */
const clock = { nowMs: Math.floor(Date.now() / hourMs) * hourMs - 20 * dayMs };
const berths = 40;

/** What the harbour does at the moment. */
const harbour = {
  draught: "number" as "number" | "text",
  surveys: "go on" as "go on" | "stopped",
  stoppedAtMs: 0,
  accepts: true,
};
const keysSeen = new Set<string | undefined>();
const codesRequested = new Set<string>();
const observations: Observation[] = [];
let monitor: Monitor;
let url: string;

const letter = (index: number) => String.fromCharCode(97 + index);
const codeOf = (index: number) => `HB-pi${letter(Math.floor(index / 26))}${letter(index % 26)}`;

function berthOf(index: number) {
  const untilMs = harbour.surveys === "stopped" ? harbour.stoppedAtMs : clock.nowMs;
  // Each berth is surveyed every 40 hours, one an hour.
  const lastMs =
    Math.floor((untilMs - index * hourMs) / (berths * hourMs)) * berths * hourMs + index * hourMs;
  const draught = 400 + index + ((lastMs / hourMs) % 50);
  return {
    code: codeOf(index),
    harbour_name: "Old Harbour",
    draught_cm: harbour.draught === "text" ? String(draught) : draught,
    vessels_moored: index % 3,
    surveyed_at: new Date(lastMs).toISOString(),
    is_tidal: true,
    // Left out for every second one, which the document allows, as it allows null.
    ...(index % 2 === 0 ? { pilot_channel: "VHF 12" } : {}),
    closed_since: null,
  };
}

async function startHarbour(): Promise<string> {
  const server = createServer((request, response) => {
    response.sendDate = false;
    const send = (status: number, body: unknown) =>
      response
        .writeHead(status, { Date: new Date(clock.nowMs).toUTCString(), "Content-Type": "application/json" })
        .end(JSON.stringify(body));
    const key = request.headers["harbour-token"];
    keysSeen.add(key === undefined ? undefined : String(key));
    if (key !== undefined && (key !== token || !harbour.accepts)) return send(401, { fault: "token" });
    const { pathname } = new URL(request.url ?? "", "http://harbour");
    const all = Array.from({ length: berths }, (_, index) => berthOf(index));
    if (pathname === "/harbour/2/berths") return send(200, all);
    const code = pathname.replace("/harbour/2/berths/", "");
    const found = all.find((one) => one.code === code);
    if (!found) return send(404, { fault: "unknown" });
    codesRequested.add(code);
    return send(200, { ...found, bollards: [{ side: "port", rated_kn: 300 }] });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function watchFor(lengthMs: number) {
  const untilMs = clock.nowMs + lengthMs;
  while (clock.nowMs < untilMs) {
    const tick = await monitor.once();
    observations.push(...tick.observations);
    clock.nowMs = Math.max(clock.nowMs + 1_000, tick.nextTickMs);
  }
}

const fetchText = async (path: string) => (await fetch(`${url}${path}`)).text();
const readSummary = async () => JSON.parse(await fetchText("/api/summary")) as Summary;
const openRules = async () => (await readSummary()).firing.map(({ rule }) => rule);
/** V1's words, of which none may be left. */
const wordsOfV1 = /passport|wallet|credential|last_calculated_at|human_checkmark|X-API-KEY|\/api\/v1\b/i;

const consumer = join(folder, "consumer");
const clientCode = `const base = "https://harbour.example.com/harbour/2";
export async function depthOf(code) {
  const response = await fetch(\`\${base}/berths/\${code}\`, { headers: { "Harbour-Token": process.env.TOKEN } });
  const berth = await response.json();
  return berth.draught_cm ?? 0;
}
export async function moored() {
  const response = await fetch("https://harbour.example.com/harbour/2/berths");
  const all = await response.json();
  return all.map((one) => one.vessels_moored);
}
`;

beforeAll(async () => {
  const fileText = JSON.stringify({
    baseUrl: await startHarbour(),
    store,
    cadence: { calm: "1h" },
    variants: { "by-other-id": false, keyword: false, "second-page": false },
  });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  const opened = openStore(store, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  monitor = await startMonitor({
    config: loaded.config,
    store: opened.store,
    allowLoopback: true,
    mode: "watch",
    channels: [],
    nowMs: () => clock.nowMs,
    onTick: () => {},
    signal: new AbortController().signal,
    readKey: async () => ({ kind: "key", key: token }),
    page: { port: 0, host: "127.0.0.1", allowHosts: [], version: "1.2.3" },
  });
  url = monitor.server?.url ?? "";
  mkdirSync(consumer);
  writeFileSync(join(consumer, "depth.js"), clientCode);
  await watchFor(5 * dayMs);
});

afterAll(() => monitor.close());

describe("another API in place of V1", () => {
  test("The probe asks for the list and for its berths by their codes, with the API's own key header.", () => {
    expect(new Set(observations.map(({ endpoint }) => String(endpoint)))).toEqual(
      new Set(["berth-list", "berth"]),
    );
    expect(keysSeen).toEqual(new Set([token, undefined]));
    expect(codesRequested.size).toBe(3);
    const primary = observations.filter(({ isPrimary }) => isPrimary);
    expect(primary.every(({ outcome }) => outcome.kind === "ok")).toBe(true);
    expect(primary.some(({ records }) => (records?.length ?? 0) >= 20)).toBe(true);
  });

  test("A healthy API has no findings: a field that may be left out and one that may be null are as documented.", async () => {
    expect(observations.flatMap(({ findings }) => findings)).toEqual([]);
    expect(await openRules()).toEqual([]);
    const [list] = observations.filter(({ endpoint }) => String(endpoint) === "berth-list");
    expect(list?.staleness).toMatchObject({ records: berths, dated: berths, missing: 0 });
    expect(list?.validated).toEqual({ records: berths, of: berths });
  });

  test("A retyped field is drift, in the list at the root and in the record at the root.", async () => {
    harbour.draught = "text";
    await watchFor(6 * hourMs);
    expect(await openRules()).toContain("breaking-drift");
    const readDrift = async () =>
      (JSON.parse(await fetchText("/api/drift")) as { path: string; kind: string; isPresent: boolean }[]).map(
        ({ path, kind, isPresent }) => `${path} ${kind}, ${isPresent ? "present" : "past"}`,
      );
    expect((await readDrift()).sort()).toEqual([
      "[].draught_cm retyped, present",
      "draught_cm retyped, present",
    ]);
    harbour.draught = "number";
    await watchFor(2 * dayMs);
    expect(await openRules()).toEqual([]);
    expect((await readDrift()).sort()).toEqual(["[].draught_cm retyped, past", "draught_cm retyped, past"]);
  });

  test("A date that stops is a freeze.", async () => {
    harbour.surveys = "stopped";
    harbour.stoppedAtMs = clock.nowMs;
    await watchFor(3 * dayMs);
    expect(await openRules()).toContain("frozen");
    const { firing } = await readSummary();
    expect(JSON.stringify(firing)).toMatch(/surveyed_at|berth/);
    harbour.surveys = "go on";
    await watchFor(2 * dayMs);
    expect(await openRules()).toEqual([]);
  });

  test("A 401 for the key, while requests without it are served, is a refused key.", async () => {
    harbour.accepts = false;
    await watchFor(6 * hourMs);
    expect(await openRules()).toContain("key-refused");
  });

  test("The scan finds the calls of a small consumer and the fields that it reads.", async () => {
    const { uses } = (await scanConsumers([{ root: consumer, as: "" }]))!;
    const found = uses.map(({ endpoint, fields }) => `${endpoint} ${fields.map(({ path }) => path).join()}`);
    expect(found.sort()).toEqual(["berth draught_cm", "berth-list [].vessels_moored"]);
    expect(uses.flatMap(({ hazards }) => hazards.map(({ rule }) => rule))).toContain("fallback-default");
  });

  test("The page names the API's own endpoints and fields, and none of V1's.", async () => {
    const texts = await Promise.all(
      ["/api/summary", "/api/drift", "/api/incidents", "/metrics", "/api/observations?limit=50"].map(
        fetchText,
      ),
    );
    const { cards } = JSON.parse(texts[0] ?? "") as Summary;
    expect(cards.map(({ path }) => path)).toEqual(["/harbour/2/berths", "/harbour/2/berths/{code}"]);
    for (const text of texts) expect(text.match(wordsOfV1)).toBeNull();
  });

  test("The report names the API's own words, and none of V1's.", async () => {
    const { code } = await run(["report", "--format", "all", "--out", folder, "--store", store], {
      env: { V1WATCH_BUDGET: "8000" },
    });
    expect(code).toBe(0);
    for (const extension of ["html", "md", "json"]) {
      const text = await readFile(join(folder, `v1watch-report.${extension}`), "utf8");
      expect(text).toContain("berth-list");
      expect(text.replaceAll("\\", "")).toContain("draught_cm");
      expect(text.match(wordsOfV1)).toBeNull();
    }
  });

  test("The starter mapping and the OpenAPI document are the API's own.", () => {
    const starter = createStarter(clock.nowMs);
    expect(starter.fields.draught_cm).toMatchObject({ decision: "renamed", path: "depth.centimetres" });
    expect(Object.keys(starter.behaviours)).toEqual(["token"]);
    const document = buildOpenApi();
    expect(Object.keys(document.paths)).toEqual(["/harbour/2/berths", "/harbour/2/berths/{code}"]);
    expect(JSON.stringify([starter, document]).match(wordsOfV1)).toBeNull();
  });
});
