// The duration of validating a body as a ratio to JSON.parse of the same text, compared with other validators
// that do part of the same work. All run in turn in one process on freshly parsed bodies. The values are
// medians of the rounds.
import { fileURLToPath } from "node:url";
import { parseBody } from "../lib/probe/validate/parse-body.ts";
import { analyseBody } from "../lib/probe/validate/validate-body.ts";
import { buildColumns, type Column, now } from "./bodies.ts";
import { type Contender, loadPeers } from "./peers.ts";
import { median, type Row } from "./table.ts";

const goal = 0.5;
const warmUpRounds = 12;
const rounds = 40;
/** The amount of text per turn: enough for a precise time, and little enough to avoid garbage collection. */
const turnCharacters = 1_500_000;

const context = { clock: { nowMs: now, targetNowMs: now, maxSkewSeconds: 300 } };
const ours: Contender = {
  name: "v1watch",
  inspect: {
    "passport-list": (body) => analyseBody("passport-list", body, context),
    passport: (body) => analyseBody("passport", body, context),
    "passport-credentials": (body) => analyseBody("passport-credentials", body, context),
  },
};

/** Keeps the results reachable, so that no work is optimised away. */
let sink: unknown;

function timeParse(texts: readonly string[]): number {
  const startedAt = performance.now();
  for (const text of texts) sink = JSON.parse(text);
  return performance.now() - startedAt;
}

function timeInspect(inspect: (body: unknown) => unknown, texts: readonly string[]): number {
  const bodies = texts.map((text) => JSON.parse(text) as unknown);
  const startedAt = performance.now();
  for (const body of bodies) sink = inspect(body);
  return performance.now() - startedAt;
}

function timeScan(buffers: readonly Uint8Array[]): number {
  const startedAt = performance.now();
  for (const bytes of buffers) sink = parseBody(bytes);
  return performance.now() - startedAt;
}

function fillTurn({ texts }: Column): string[] {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return Array.from({ length: Math.ceil(turnCharacters / length) }, () => texts).flat();
}

/**
 * Throws when a validator misses the drift or reports drift in a clean body, because its time would not be
 * comparable.
 */
function checkResults(peers: readonly Contender[], { name, endpoint, texts }: Column): void {
  const isClean = name.endsWith("clean");
  for (const text of texts) {
    const mistaken = peers.filter(
      ({ inspect }) => (inspect[endpoint](JSON.parse(text)) === undefined) !== isClean,
    );
    const { findings } = analyseBody(endpoint, JSON.parse(text), context);
    if (mistaken.length > 0 || (findings.length === 0) !== isClean) {
      throw new Error(`${name}: wrong result of ${mistaken.map((peer) => peer.name).join() || "v1watch"}`);
    }
  }
}

export async function benchAnalysis(): Promise<Row[]> {
  const peers = await loadPeers();
  const contenders = [ours, ...peers];
  for (const column of buildColumns()) checkResults(peers, column);
  const columns = buildColumns().map((column) => {
    const texts = fillTurn(column);
    return { ...column, texts, buffers: texts.map((text) => Buffer.from(text)) };
  });
  const ratios = new Map<string, number[]>();
  const record = (name: string, ratio: number) => ratios.set(name, [...(ratios.get(name) ?? []), ratio]);
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    for (const { name, endpoint, texts, buffers } of columns) {
      const order = contenders.map((_, index) => contenders[(index + round) % contenders.length]!);
      // JSON.parse is timed before and after the others, because the load of the machine changes over time.
      const before = timeParse(texts);
      const times = order.map(({ inspect }) => timeInspect(inspect[endpoint], texts));
      const scanned = timeScan(buffers);
      const parse = (before + timeParse(texts)) / 2;
      if (round < warmUpRounds) continue;
      order.forEach((contender, index) => {
        record(`${name}: ${contender.name}`, times[index]! / parse);
      });
      record(`${name}: parseBody of the bytes`, scanned / parse);
    }
  }
  if (sink === undefined) throw new Error("nothing was measured");
  const row = (name: string, hasGoal: boolean): Row => {
    const value = Math.round(median(ratios.get(name) ?? []) * 100) / 100;
    return {
      name: `analysis: ${name}`,
      value,
      unit: "× JSON.parse",
      goal: hasGoal ? `≤ ${goal}` : "",
      ok: !hasGoal || value <= goal,
    };
  };
  return columns.flatMap(({ name }) => [
    ...contenders.map((contender) => row(`${name}: ${contender.name}`, contender === ours)),
    row(`${name}: parseBody of the bytes`, false),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchAnalysis());
