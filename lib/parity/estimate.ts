// A comparison in AWS before it starts: how large a sample has to be, how the passports are cut into chunks, and what
// it takes in requests, hours and dollars. docs/aws/scale.md explains the formulas.

import { type Counts, price } from "../config/prices.ts";
import { formatCount } from "../text.ts";
import { diffyRule } from "./judge.ts";
import { blockOf, planSlices, slicedRate } from "./lease.ts";

const confidence = 0.95;
/** The share of passports with a difference that a sample finds unless another one is wanted. */
export const defaultDetectPercent = 0.1;

const hits = diffyRule.minDifferences;

/** The probability of fewer than `hits` of `size` passports, where a share of all has a difference (Poisson). */
function missProbability(size: number, share: number): number {
  const mean = size * share;
  let term = Math.exp(-mean);
  let sum = 0;
  for (let found = 0; found < hits; found++) {
    sum += term;
    term *= mean / (found + 1);
  }
  return sum;
}

/** Passports that show a difference in `percent` of all of them often enough to be reported, with 95 % probability. */
export function sampleSize(percent: number): number {
  let [low, high] = [1, Math.ceil((10 * (hits + 10)) / (percent / 100))];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (missProbability(middle, percent / 100) <= 1 - confidence) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The smallest share of passports with a difference, in percent, that a sample of this size finds. */
export function detectablePercent(size: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (missProbability(size, middle) <= 1 - confidence) high = middle;
    else low = middle;
  }
  return 100 * high;
}

export function describeSample({ passports, compared }: { passports: number; compared: number }): string {
  if (compared >= passports) return `All ${formatCount(passports)} passports are compared.`;
  const percent = detectablePercent(compared);
  const affected = Math.ceil((passports * percent) / 100);
  return `A random sample of ${formatCount(compared)} of ${formatCount(passports)} passports. A difference in at least ${Number(percent.toPrecision(2))} % of them (${formatCount(affected)}) is found with ${100 * confidence} % probability; a rarer one may be missed.`;
}

type PerVersion = { v1: number; v2: number };
export type RunInput = {
  passports: number;
  perPair: PerVersion;
  rates: PerVersion;
  /** The most chunks that are compared at once. */
  workers?: number;
};

/** A worker that has 8 requests in flight sends at least this many a second, if a response takes 1.6 s. */
const requestsPerSecondOfWorker = 5;
/** A chunk has to end before its function does, also where it is the only one. */
const chunkSeconds = 600;
const chunkIds = { least: 10, most: 200 };
/** Half of what an account's functions may run at once, unless AWS raised or lowered it. */
export const maxWorkers = 500;
const workersPerShard = 100;

export function planRun({ passports, perPair, rates, workers = maxWorkers }: RunInput) {
  const requestsPerPair = perPair.v1 + perPair.v2;
  const pairsPerSecond = Math.min(
    slicedRate(rates.v1) / perPair.v1,
    slicedRate(rates.v2) / perPair.v2,
    (workers * requestsPerSecondOfWorker) / requestsPerPair,
  );
  const chunkSize = Math.max(
    chunkIds.least,
    Math.min(chunkIds.most, Math.floor(pairsPerSecond * chunkSeconds)),
  );
  const chunks = Math.ceil(passports / chunkSize);
  const needed = Math.ceil((pairsPerSecond * requestsPerPair) / requestsPerSecondOfWorker);
  const concurrency = Math.max(1, Math.min(needed, chunks, workers));
  const shards = Math.ceil(concurrency / workersPerShard);
  return { pairsPerSecond, chunkSize, chunks, concurrency, shards };
}

/** The reads of V1 are this far apart, so each chunk lasts for it at least once. */
const apartSeconds = 30;
const workerGb = 0.25;
/** Start, chunk and end of a child; a round and its end. */
const transitionsPerChunk = 3;
const transitionsOfRun = 20;
/** The run's counters, the month's budget and its release: the probe state has up to 8 KB. */
const writesPerChunk = 2 + 2 * 8;
const resultKb = 6;

/** Requests, hours, dollars and the load of the table. A worker that waits for tokens is paid for. */
export function estimateRun(input: RunInput) {
  const { passports, perPair, rates } = input;
  const plan = planRun(input);
  const requests = { v1: passports * perPair.v1, v2: passports * perPair.v2 };
  const seconds = passports / plan.pairsPerSecond + apartSeconds;
  const leaseWrites = [rates.v1, rates.v2].reduce((sum, rate) => {
    const slices = planSlices(rate);
    const perSlice = slices.tokens / blockOf(slices, plan.concurrency) + plan.concurrency;
    return sum + ((1_000 * seconds) / slices.sliceMs) * perSlice;
  }, 0);
  const counts: Counts = {
    lambdaRequest: plan.chunks + 2,
    lambdaArmGbSecond: workerGb * plan.concurrency * seconds,
    stateTransition: plan.chunks * transitionsPerChunk + transitionsOfRun,
    tableWrite: leaseWrites + plan.chunks * writesPerChunk,
    tableRead: (plan.concurrency * seconds) / 2,
    objectWrite: 2 * plan.chunks + 10,
    objectRead: 3 * plan.chunks,
    putMetricData: plan.chunks,
  };
  return {
    ...plan,
    requests,
    hours: seconds / 3_600,
    usd: price("comparison", counts).usd,
    tableWritesPerSecond: (counts.tableWrite ?? 0) / seconds,
    resultMb: (plan.chunks * resultKb) / 1_024,
  };
}
