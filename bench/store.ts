// A year of observations in the SQLite store: the duration of an append on the first and on the last days,
// and the file size.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../lib/local/store/store.ts";
import { dayOf, type Ledger } from "../lib/ports.ts";
import type { Observation } from "../lib/records/observation.ts";

export type Row = { name: string; value: number; unit: string; goal: string; ok: boolean };

const endpoints = ["passport-list", "passport", "passport-credentials"] as const;
const startMs = Date.parse("2026-01-01T00:00:00Z");
const dayMs = 86_400_000;
const tickMs = 30 * 60_000;
const days = 365;
const rarePerDay = 6;

/** One observation of about 2 KB: a healthy response with a few findings and facts. */
function makeObservation(index: number, atMs: number): Observation {
  const endpoint = endpoints[index % 3] ?? "passport";
  const at = new Date(atMs).toISOString();
  const fields = ["bio", "display_name", "location", "main_wallet", "earned_at", "score", "value"];
  return {
    schema: "v1watch/observation/2",
    id: `${endpoint}/${index < 3 ? "authenticated" : "by-wallet"}/${at}`,
    endpoint,
    variant: index < 3 ? "authenticated" : "by-wallet",
    at,
    reason: "scheduled",
    isPrimary: true,
    attempts: [{ kind: "ok", totalMs: 150 + (atMs % 97) }],
    outcome: { kind: "ok", status: 200 },
    timings: { dnsMs: 3, tcpMs: 12, tlsMs: 24, firstByteMs: 110, totalMs: 150 + (atMs % 97) },
    bytes: { wire: 9_120, body: 31_480 },
    tls: { expiresAt: "2027-03-01T00:00:00Z" },
    findings: fields.slice(0, 4).map((field) => ({
      id: `${endpoint} passports[].passport_profile.${field} null null`,
      path: `passports[].passport_profile.${field}`,
      kind: "null",
      expected: "string",
      observed: "null",
      count: 3,
      of: 25,
      level: "notice",
    })),
    findingsOmitted: 0,
    staleness: {
      records: 25,
      ages: { newest: 7_800, p50: 90_000, p95: 1_900_000, oldest: 2_500_000 },
      dated: 25,
      missing: 0,
      null: 0,
      future: 0,
      unparsable: 0,
      calculating: 1,
      skewSeconds: 0.4,
      muted: false,
    },
    notices: { sunset: "2026-12-31T00:00:00Z", links: ["sunset"] },
    evidence: fields.map((field) => ({
      gap: "2.6-null",
      subject: `passports[].passport_profile.${field}`,
      of: 25,
      answers: { null: 3, string: 22 },
    })),
  };
}

export function observationsOf(day: number, fromMs = startMs): Observation[] {
  const firstMs = fromMs + day * dayMs;
  const authenticated = Array.from({ length: dayMs / tickMs }, (_, tick) =>
    endpoints.map((_, place) => makeObservation(place, firstMs + tick * tickMs)),
  ).flat();
  const rare = Array.from({ length: rarePerDay }, (_, place) =>
    makeObservation(3 + place, firstMs + place * 4 * 3_600_000),
  );
  return [...authenticated, ...rare].toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

/** Commits the day as an assessment does: the backlog is empty, and the next day has a checkpoint. */
async function closeDay(ledger: Ledger, day: number): Promise<void> {
  const { version, unassessed } = await ledger.backlog();
  const next = dayOf(new Date(startMs + (day + 1) * dayMs).toISOString());
  await ledger.commit({ version, folded: unassessed, checkpoints: [{ day: next, state: { day } }] });
}

/** The duration of each append of a day, in milliseconds. */
async function appendDay(ledger: Ledger, day: number): Promise<number[]> {
  const times: number[] = [];
  for (const observation of observationsOf(day)) {
    const fromMs = performance.now();
    const { kind } = await ledger.append(observation);
    times.push(performance.now() - fromMs);
    if (kind !== "new") throw new Error(`unexpected result of append: ${kind}`);
  }
  await closeDay(ledger, day);
  return times;
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

export async function benchStore(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const path = join(folder, "watch.db");
  const open = () => {
    const opened = openStore(path, { mode: "own" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    return opened.store;
  };
  try {
    let store = open();
    const rows: Row[] = [];
    const add = (name: string, value: number, unit: string, limit: number) =>
      rows.push({ name, value: Number(value.toFixed(3)), unit, goal: `< ${limit}`, ok: value < limit });
    const times: number[][] = [];
    for (let day = 0; day < days; day += 1) times.push(await appendDay(store.ledger, day));
    // A week at both ends, because disk times of a single day vary too much. The first day is left out as
    // warm-up.
    const first = median(times.slice(1, 8).flat());
    const last = median(times.slice(-7).flat());
    add("store: a year of observations", times.flat().length, "rows", 60_000);
    add("store: append on the first days, median", first, "ms", 20);
    add("store: append on the last days, median", last, "ms", 20);
    add("store: append, ratio of the last days to the first days", last / first, "ratio", 1.5);
    store.close();
    add("store: file after a year", statSync(path).size / 2 ** 20, "MiB", 250);
    const fromMs = performance.now();
    store = open();
    add("store: open with integrity check after a year", performance.now() - fromMs, "ms", 2_000);
    store.close();
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchStore());
