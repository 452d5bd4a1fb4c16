// The time to parse and validate a page of 25 passports, and the time and memory that a body of 90,000 wrong objects
// takes.
import { execFileSync } from "node:child_process";
import { findDrift } from "../lib/probe/validate/drift.ts";
import { readBodyFacts } from "../lib/probe/validate/evidence.ts";
import { readFieldValues } from "../lib/probe/validate/field-values.ts";
import { parseBody } from "../lib/probe/validate/parse-body.ts";
import { readBody } from "../lib/probe/validate/validate-body.ts";
import { createBodies } from "../lib/simulator/bodies.ts";
import { createPopulation } from "../lib/simulator/population.ts";
import { median, type Row, row } from "./table.ts";

const now = Date.UTC(2026, 10, 14, 12);
const context = { clock: { nowMs: now, targetNowMs: now, maxSkewSeconds: 300 } };
const pages = 8;
const repeats = 30;
const warmUpRounds = 10;
const rounds = 40;

/** Keeps the results alive, so that no work can be optimised away. */
let sink: unknown;

function timeEach<T>(inputs: readonly T[], work: (input: T) => unknown): number {
  const startedAt = performance.now();
  for (let turn = 0; turn < repeats; turn++) for (const input of inputs) sink = work(input);
  return performance.now() - startedAt;
}

/** From bytes to findings and evidence: decoding, limits and JSON.parse, then zod, then the evidence. */
function parseAndValidate(bytes: Uint8Array): unknown {
  const parsed = parseBody(bytes);
  if (parsed.kind !== "json") throw new Error(parsed.kind);
  const values = readFieldValues("passport-list", parsed.value);
  const drift = findDrift("passport-list", parsed.value, values);
  return readBodyFacts("passport-list", values, drift);
}

/** By turns with JSON.parse of the same texts, because the load of the machine changes with time. */
function measurePage(): Row[] {
  const bodies = createBodies(createPopulation({ seed: 1, size: 5_000 }), "documented");
  const texts = Array.from({ length: pages }, (_, index) =>
    JSON.stringify(bodies["passport-list"]({ id: "", keyword: "", page: index + 1 }, { now })),
  );
  const buffers = texts.map((text) => Buffer.from(text));
  const ratios: number[] = [];
  const wholeRatios: number[] = [];
  const milliseconds: number[] = [];
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    const parsing = timeEach(texts, JSON.parse);
    const validating = timeEach(buffers, parseAndValidate);
    const reading = timeEach(buffers, (bytes) =>
      readBody("passport-list", bytes, "application/json", context),
    );
    if (round < warmUpRounds) continue;
    ratios.push(validating / parsing);
    wholeRatios.push(reading / parsing);
    milliseconds.push(reading / repeats / pages);
  }
  if (sink === undefined) throw new Error("nothing was measured");
  const page = "a page of 25 passports";
  return [
    row(`${page}, from bytes to result`, median(milliseconds), "ms", 5),
    row(`${page}, parse + validate + evidence, to JSON.parse alone`, median(ratios), "×", 3),
    // Also staleness, order, pagination, fake OK and equal scores.
    row(`${page}, from bytes to result, to JSON.parse alone`, median(wholeRatios), "×", 3),
  ];
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
  return [
    row(name, median(measured.map(({ milliseconds }) => milliseconds)), "ms", 150),
    row(`${name}, memory`, median(measured.map(({ megabytes }) => megabytes)), "MB", 100),
  ];
}

export async function benchValidate(): Promise<Row[]> {
  const wrong = Array(90_000).fill('{"score":"x"}').join();
  return [
    ...measurePage(),
    ...measureFlood("a body of 90,000 wrong passports", "passport-list", `{"passports":[${wrong}]}`),
    ...measureFlood(
      "a body of 90,000 wrong socials",
      "passport",
      `{"passport":{"passport_socials":[${wrong}]}}`,
    ),
  ];
}
