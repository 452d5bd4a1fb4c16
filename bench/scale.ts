// A comparison in AWS by simulation, slice by slice and chunk by chunk, from ten thousand to ten million passports: the
// time, the dollars and the load of the table, with cold starts, the wait for the second read and killed workers. It is
// compared with the formula that `v1watch parity --estimate` prints. docs/aws/scale.md has its figures.

import { price } from "../lib/config/prices.ts";
import { estimateRun, planRun, type RunInput } from "../lib/parity/estimate.ts";
import { blockOf, planSlices } from "../lib/parity/lease.ts";
import { type Row, row } from "./table.ts";

const startSeconds = 1;
const apartSeconds = 30;
const killedEvery = 20;
const workerGb = 0.25;
const writesPerChunk = 18;

type Simulated = { hours: number; usd: number; writesPerSecond: number; workers: number; chunks: number };

/** V1 and V2 are read at the same time, so the slices of the slower one decide. */
export function simulateRun(input: RunInput): Simulated {
  const { chunkSize, chunks, concurrency } = planRun(input);
  const { perPair, rates } = input;
  const pairsOf = (version: "v1" | "v2") =>
    (1_000 * planSlices(rates[version]).tokens) / planSlices(rates[version]).sliceMs / perPair[version];
  const slower = pairsOf("v1") <= pairsOf("v2") ? "v1" : "v2";
  const slices = planSlices(rates[slower]);
  const block = blockOf(slices, concurrency);
  const sliceSeconds = slices.sliceMs / 1_000;
  const chunkRequests = chunkSize * perPair[slower];
  /** What each worker still has to send, and until when it waits. */
  const workers = Array.from({ length: concurrency }, () => ({ left: 0, waitsUntil: 0, isLast: false }));
  let [second, given, done, repeated, writes, workerSeconds] = [0, 0, 0, 0, 0, 0];
  while (done < chunks) {
    for (const worker of workers) {
      if (worker.left > 0 || worker.waitsUntil > second) continue;
      if (worker.isLast) done++;
      worker.isLast = false;
      if (given >= chunks + repeated) continue;
      given++;
      // A killed worker has sent half of its chunk, which is compared again.
      const isKilled = given % killedEvery === 0 && given <= chunks;
      if (isKilled) repeated++;
      worker.left = isKilled ? chunkRequests / 2 : chunkRequests;
      worker.isLast = !isKilled;
      worker.waitsUntil = second + startSeconds;
      writes += writesPerChunk;
    }
    const busy = workers.filter(({ left, waitsUntil }) => left > 0 || waitsUntil > second);
    const sending = busy.filter(({ left, waitsUntil }) => left > 0 && waitsUntil <= second);
    for (const worker of sending) {
      const sent = Math.min(worker.left, slices.tokens / sending.length);
      worker.left -= sent;
      writes += Math.ceil(sent / block) + 1;
      if (worker.left === 0) worker.waitsUntil = second + apartSeconds;
    }
    workerSeconds += busy.length * sliceSeconds;
    second += sliceSeconds;
  }
  const { usd } = price("comparison", {
    lambdaRequest: given + 2,
    lambdaArmGbSecond: workerGb * workerSeconds,
    stateTransition: given * 3 + 20,
    tableWrite: 2 * writes,
    tableRead: workerSeconds / 2,
    objectWrite: 2 * given + 10,
    objectRead: 3 * given,
    putMetricData: given,
  });
  return { hours: second / 3_600, usd, writesPerSecond: (2 * writes) / second, workers: concurrency, chunks };
}

/** Of the starter mapping. */
const perPair = { v1: 4, v2: 5 };
export const scales: readonly { passports: number; rate: number }[] = [
  ...[10_000, 100_000, 1_000_000].map((passports) => ({ passports, rate: 10 })),
  ...[100_000, 1_000_000, 10_000_000].map((passports) => ({ passports, rate: 1_000 })),
];

/** The table of docs/aws/scale.md. */
export function scaleTable(): string {
  const digits = (number: number) =>
    number.toLocaleString("en", { maximumFractionDigits: number < 10 ? 1 : 0 });
  return [
    "| passports | rate (10 s) | chunks | workers | hours: formula | simulated | dollars: formula | simulated | writes/s |",
    "|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...scales.map(({ passports, rate }) => {
      const input = { passports, perPair, rates: { v1: rate, v2: Math.max(20, rate) } };
      const [formula, simulated] = [estimateRun(input), simulateRun(input)];
      return `| ${[
        ...[
          passports,
          rate,
          formula.chunks,
          formula.concurrency,
          formula.hours,
          simulated.hours,
          formula.usd,
        ],
        ...[simulated.usd, simulated.writesPerSecond],
      ]
        .map(digits)
        .join(" | ")} |`;
    }),
    "",
  ].join("\n");
}

export async function benchScale(): Promise<Row[]> {
  console.log(scaleTable());
  return scales.map(({ passports, rate }) => {
    const input = { passports, perPair, rates: { v1: rate, v2: Math.max(20, rate) } };
    const percent = (100 * simulateRun(input).hours) / estimateRun(input).hours;
    return row(`simulated time of ${passports} passports at ${rate}, by the formula`, percent, "%", 150);
  });
}
