// The time to parse and validate a body as a ratio to JSON.parse of the same text, beside other validators,
// and the time and memory that a body of 90,000 wrong objects takes.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readBody, validateBody } from "../lib/probe/validate/validate-body.ts";
import { buildColumns, type Column, now } from "./bodies.ts";
import { type Contender, loadPeers } from "./peers.ts";
import { median, type Row } from "./table.ts";

const maxRatio = 3;
const maxFloodMs = 150;
const maxFloodMegabytes = 100;
const warmUpRounds = 12;
const rounds = 40;
/** Text that is processed in one turn: enough for the clock, little enough for the garbage collector. */
const turnCharacters = 1_500_000;

const context = { clock: { nowMs: now, targetNowMs: now, maxSkewSeconds: 300 } };

/** Keeps the results alive, so that no work can be optimised away. */
let sink: unknown;

function timeEach<T>(inputs: readonly T[], work: (input: T) => unknown): number {
  const startedAt = performance.now();
  for (const input of inputs) sink = work(input);
  return performance.now() - startedAt;
}

function fillTurn({ texts }: Column): string[] {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return Array.from({ length: Math.ceil(turnCharacters / length) }, () => texts).flat();
}

/** A contender that accepts a drifting body, or rejects a clean one, does less than it is measured for. */
function checkWork(peers: readonly Contender[], { name, endpoint, texts }: Column): void {
  const isClean = name.endsWith("clean");
  for (const text of texts) {
    const wrong = peers.filter(
      ({ inspect }) => (inspect[endpoint](JSON.parse(text)) === undefined) !== isClean,
    );
    const { findings } = validateBody(endpoint, JSON.parse(text), context);
    if (wrong.length > 0 || (findings.length === 0) !== isClean) {
      throw new Error(`${name}: wrong result of ${wrong.map((peer) => peer.name).join() || "v1watch"}`);
    }
  }
}

/** One process, all by turns on freshly parsed bodies, medians of the rounds. */
export function measureRatios(peers: readonly Contender[]): Row[] {
  const contenders: Contender[] = [
    {
      name: "v1watch, validation and evidence",
      inspect: {
        "passport-list": (body) => validateBody("passport-list", body, context),
        passport: (body) => validateBody("passport", body, context),
        "passport-credentials": (body) => validateBody("passport-credentials", body, context),
      },
    },
    ...peers,
  ];
  for (const column of buildColumns()) checkWork(peers, column);
  const columns = buildColumns().map((column) => {
    const texts = fillTurn(column);
    return { ...column, texts, buffers: texts.map((text) => Buffer.from(text)) };
  });
  const ratios = new Map<string, number[]>();
  const note = (name: string, ratio: number) => ratios.set(name, [...(ratios.get(name) ?? []), ratio]);
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    for (const { name, endpoint, texts, buffers } of columns) {
      const order = contenders.map((_, index) => contenders[(index + round) % contenders.length]!);
      // JSON.parse is timed before and after, because the load of the machine changes with time.
      const before = timeEach(texts, JSON.parse);
      const times = order.map(({ inspect }) => {
        const bodies = texts.map((text) => JSON.parse(text) as unknown);
        return timeEach(bodies, inspect[endpoint]);
      });
      const complete = timeEach(buffers, (bytes) => readBody(endpoint, bytes, "application/json", context));
      const parse = (before + timeEach(texts, JSON.parse)) / 2;
      if (round < warmUpRounds) continue;
      order.forEach((contender, index) => {
        note(`${name}: ${contender.name}`, times[index]! / parse);
      });
      note(`${name}: v1watch, parsing, validation and evidence`, complete / parse);
    }
  }
  if (sink === undefined) throw new Error("nothing was measured");
  return [...ratios].map(([name, measured]) => {
    const value = Math.round(median(measured) * 100) / 100;
    const hasGoal = name.startsWith("25 passports") && name.includes("parsing");
    return {
      name: `validate: ${name}`,
      value,
      unit: "× JSON.parse",
      goal: hasGoal ? `≤ ${maxRatio}` : "",
      ok: !hasGoal || value <= maxRatio,
    };
  });
}

/** In a process of its own, because only there is the peak of memory that of this body. */
function measureFlood(name: string, endpoint: string, text: string): Row[] {
  const script = `
    import { readFileSync } from "node:fs";
    import { readBody } from ${JSON.stringify(new URL("../lib/probe/validate/validate-body.ts", import.meta.url).href)};
    const bytes = readFileSync(0);
    const context = ${JSON.stringify(context)};
    readBody("${endpoint}", Buffer.from("{}"), "application/json", context);
    const before = process.memoryUsage.rss();
    const startedAt = performance.now();
    const { validation } = readBody("${endpoint}", bytes, "application/json", context);
    const milliseconds = performance.now() - startedAt;
    const megabytes = (process.resourceUsage().maxRSS * 1024 - before) / 1e6;
    console.log(JSON.stringify({ milliseconds, megabytes, findings: validation.findings.length }));`;
  const measured = Array.from({ length: 5 }, () => {
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { input: text });
    return JSON.parse(output.toString()) as { milliseconds: number; megabytes: number; findings: number };
  });
  if (measured.some(({ findings }) => findings === 0)) throw new Error(`${name}: no findings`);
  const row = (unit: string, values: number[], max: number): Row => {
    const value = Math.round(median(values));
    return { name: `validate: ${name}`, value, unit, goal: `≤ ${max}`, ok: value <= max };
  };
  return [
    row(
      "ms",
      measured.map(({ milliseconds }) => milliseconds),
      maxFloodMs,
    ),
    row(
      "MB",
      measured.map(({ megabytes }) => megabytes),
      maxFloodMegabytes,
    ),
  ];
}

export function measureFloods(): Row[] {
  const wrong = Array(90_000).fill('{"score":"x"}').join();
  return [
    ...measureFlood("90,000 wrong passports", "passport-list", `{"passports":[${wrong}]}`),
    ...measureFlood("90,000 wrong socials", "passport", `{"passport":{"passport_socials":[${wrong}]}}`),
  ];
}

export async function benchValidate(): Promise<Row[]> {
  return [...measureRatios(await loadPeers()), ...measureFloods()];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchValidate());
