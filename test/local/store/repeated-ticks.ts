// Ticks that arrive again and out of order: each is stored and reported once. The alerts are those of an arrival in order.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assess, type Settings } from "../../../lib/assess/assess.ts";
import { groupTicks } from "../../../lib/assess/fold.ts";
import { recordTick } from "../../../lib/assess/record-tick.ts";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import type { Ports } from "../../../lib/ports.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { dayMs, hourMs } from "../../assess/observation-builder.ts";
import { watch } from "../../assess/timeline.ts";
import { shippedSettings } from "../../config/shipped.ts";
import { createChance } from "../../random.ts";
import { acceptAlerts } from "../receivers.ts";

const { decisions: _, ...settings } = shippedSettings;
const given: Settings = settings;
const startMs = Date.parse("2026-03-02T00:00:00Z");
/** Four days with an outage of three hours on the second, and the end on the fourth. */
const ticks = groupTicks(
  watch(startMs, startMs + 4 * dayMs, [
    { fromMs: startMs + dayMs + 7 * hourMs, untilMs: startMs + dayMs + 10 * hourMs },
    { fromMs: startMs + 3 * dayMs, untilMs: startMs + 9 * dayMs, status: 410 },
  ]),
);
/** Ticks that arrive between two assessments. */
const arriveTogether = 3;

export type TicksResult = { ticks: number; rows: number; alerts: number; faults: string[] };

/** Every tick arrives in a random order within its time, and `count` more arrivals repeat earlier ticks. */
export async function repeatTicks(count: number, seed: number): Promise<TicksResult> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-ticks-"));
  const chance = createChance(seed);
  const groups = Array.from({ length: Math.ceil(ticks.length / arriveTogether) }, (_, index) =>
    ticks.slice(index * arriveTogether, (index + 1) * arriveTogether),
  );
  const repeats = Math.ceil(count / groups.length);
  try {
    const expected = await play(join(folder, "once.db"), groups);
    let arrived: Observation[][] = [];
    const repeated = await play(
      join(folder, "repeated.db"),
      groups.map((group) => {
        arrived = [...arrived, ...group];
        const again = Array.from(
          { length: repeats },
          () => arrived[Math.floor(chance() * arrived.length)] ?? [],
        );
        return shuffle([...group, ...again], chance);
      }),
    );
    const difference = (name: "rows" | "alerts") => {
      const extra = repeated[name].filter((id) => !expected[name].includes(id));
      const missing = expected[name].filter((id) => !repeated[name].includes(id));
      return [
        ...(extra.length > 0 ? [`${extra.length} extra ${name}, such as ${extra[0]}`] : []),
        ...(missing.length > 0 ? [`${missing.length} ${name} are missing, such as ${missing[0]}`] : []),
        ...(new Set(repeated[name]).size < repeated[name].length
          ? [`an id of the ${name} occurs twice`]
          : []),
      ];
    };
    return {
      ticks: repeats * groups.length + ticks.length,
      rows: repeated.rows.length,
      alerts: repeated.alerts.length,
      faults: [...difference("rows"), ...difference("alerts")],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function shuffle<T>(items: T[], chance: () => number): T[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(chance() * (last + 1));
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}

/** An assessment after each group; the clock is that of its latest tick. */
async function play(
  path: string,
  groups: readonly Observation[][][],
): Promise<{ rows: string[]; alerts: string[] }> {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { store } = opened;
  const alerts: string[] = [];
  let nowMs = startMs;
  const ports: Ports = {
    nowMs: () => nowMs,
    ledger: store.ledger,
    outbox: store.outbox,
    readKey: async () => ({ kind: "none" }),
    receivers: [acceptAlerts(({ id }) => alerts.push(id))],
  };
  const memory = {};
  for (const group of groups) {
    for (const observations of group) {
      await recordTick(ports, observations);
      nowMs = Math.max(nowMs, ...observations.map(({ at }) => Date.parse(at) + 1_000));
    }
    await assess(ports, given, memory);
  }
  const rows = await readIds(store);
  store.close();
  return { rows, alerts };
}

async function readIds({ ledger }: Store): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of ledger.observations(0, 1e15)) ids.push(id);
  return ids;
}
