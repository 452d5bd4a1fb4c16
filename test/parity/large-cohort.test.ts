// A cohort that is too large for memory: read as a stream, counted line by line, and cut into chunks.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prices } from "../../lib/config/prices.ts";
import {
  describeSample,
  detectablePercent,
  estimateRun,
  planRun,
  sampleSize,
} from "../../lib/parity/estimate.ts";
import { readChunks, spreadCohort } from "../../lib/parity/large-cohort.ts";
import { makeFolder } from "../local/temporary-folder.ts";

const folder = makeFolder();
let number = 0;
async function spread(text: string) {
  const place = join(folder, String(number++));
  mkdirSync(place);
  writeFileSync(`${place}.txt`, text);
  return { place, counts: await spreadCohort(`${place}.txt`, place) };
}
const all = (place: string, size = 1e9, chunk = 7) => [...readChunks(place, size, chunk)];

const wallet = `0x${"aB".repeat(20)}`;

test("Every line is counted as an id, a wallet, a duplicate, ignored or foreign, and nothing else", async () => {
  const { place, counts } = await spread(
    `\uFEFF# users\n1\n2\r\n\n2\n${wallet}\n${wallet.toLowerCase()}\nalice@example.com\n0x12\n3`,
  );
  expect(counts).toEqual({
    lines: 10,
    ids: 4,
    otherIds: 2,
    duplicates: 2,
    ignored: 2,
    foreign: 2,
    foreignLines: [8, 9],
    passports: 4,
  });
  expect(all(place).flat().sort()).toEqual([wallet, "1", "2", "3"]);
});

test("A column of CSV and a member of JSONL are read", async () => {
  const csv = await spread('name, passport_id\n"x", "17"\nlonger,18\n');
  expect(csv.counts).toMatchObject({ ids: 2, ignored: 1, foreign: 0 });
  expect(all(csv.place).flat().sort()).toEqual(["17", "18"]);
  const upper = await spread(`Name\tWALLET\tother\n"x"\t"${wallet}"\t1\n19\n`);
  expect(all(upper.place).flat().sort()).toEqual([wallet, "19"]);
  const unnamed = await spread("who,which\n23,24\n,25\n");
  expect(unnamed.counts).toMatchObject({ ids: 1, ignored: 0, foreign: 2, foreignLines: [1, 3] });
  expect(all(unnamed.place).flat()).toEqual(["23"]);
  const first = await spread("21;x\n22;y\n");
  expect(all(first.place).flat().sort()).toEqual(["21", "22"]);
  const jsonl = await spread(`{"passport_id": 31}\n{"wallet": "${wallet}"}\n{"name": "x"}\n{broken\n`);
  expect(jsonl.counts).toMatchObject({ ids: 1, otherIds: 1, foreign: 2, foreignLines: [3, 4] });
});

test("A member of JSONL with any of the known names has the id, and the first of them counts", async () => {
  const columns = ["passport_id", "passportid", "id", "wallet", "main_wallet", "address"];
  const lines = columns.map((name, index) => `{"other": 1, "${name}": "${index + 1}"}\n`);
  const both = `{"wallet": "${wallet}", "passport_id": 31}\n`;
  const { place } = await spread([...lines, both].join(""));
  expect(all(place).flat().sort()).toEqual(["1", "2", "3", "31", "4", "5", "6"]);
});

test("Many lines of one partition are all kept, across the pieces of the file and of the buffers", async () => {
  const { place, counts } = await spread(`${wallet}\n`.repeat(4_000));
  expect(counts).toMatchObject({ lines: 4_000, otherIds: 4_000, duplicates: 3_999, passports: 1 });
  expect(all(place)).toEqual([[wallet]]);
});

test("The first five foreign lines are named, and all are counted", async () => {
  const { counts } = await spread("x\n1\nx\nx\nx\nx\nx\n");
  expect(counts).toMatchObject({ foreign: 6, foreignLines: [1, 3, 4, 5, 6] });
});

test("An empty file, a file of blank lines and a line without an end are counted", async () => {
  const empty = await spread("");
  expect(empty.counts).toMatchObject({ lines: 0, passports: 0 });
  expect(all(empty.place)).toEqual([]);
  expect((await spread("\n\n# x\n")).counts).toMatchObject({ lines: 3, ignored: 3, passports: 0 });
  expect((await spread("7".repeat(1_000_000))).counts).toMatchObject({ foreign: 1, passports: 0 });
});

test("The chunks have every passport once, and the sample does not depend on the order of the file", async () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => String(index + 1));
  const forwards = await spread(ids.join("\n"));
  const backwards = await spread([...ids, ...ids].reverse().join("\n"));
  expect(backwards.counts).toMatchObject({ duplicates: 5_000, passports: 5_000 });
  const chunks = all(forwards.place, 1e9, 150);
  expect(chunks.map(({ length }) => length)).toEqual([...Array(33).fill(150), 50]);
  expect(chunks.flat().sort()).toEqual(ids.sort());
  const sample = all(forwards.place, 400).flat();
  expect(sample).toHaveLength(400);
  expect(sample).toEqual(all(backwards.place, 400).flat());
  // A sample of the first lines would have a mean of 200.
  const mean = sample.reduce((sum, id) => sum + Number(id), 0) / 400;
  expect(Math.abs(mean - 2_500)).toBeLessThan(250);
});

test("A sample shows a difference at the size that is promised, and its text says what it could miss", () => {
  expect(sampleSize(0.1)).toBe(6_296);
  expect(detectablePercent(6_296)).toBeCloseTo(0.1, 4);
  // The binomial distribution, without the approximation: fewer than 3 of 6,296 at 0.1 %.
  const [n, p] = [6_296, 0.001];
  const missed =
    (1 - p) ** n + n * p * (1 - p) ** (n - 1) + ((n * (n - 1)) / 2) * p ** 2 * (1 - p) ** (n - 2);
  expect(missed).toBeLessThanOrEqual(0.05);
  expect(describeSample({ passports: 1_000_000, compared: 6_296 })).toBe(
    "A random sample of 6,296 of 1,000,000 passports. A difference in at least 0.1 % of them (1,000) is found with 95 % probability; a rarer one may be missed.",
  );
  expect(describeSample({ passports: 10, compared: 10 })).toBe("All 10 passports are compared.");
});

test("Chunks fit into the time of a function, and the number of workers follows the rate", () => {
  const perPair = { v1: 4, v2: 3 };
  const slow = planRun({ passports: 1_000_000, perPair, rates: { v1: 10, v2: 20 } });
  expect(slow.concurrency).toBe(1);
  expect(slow.chunkSize / slow.pairsPerSecond).toBeLessThanOrEqual(600);
  const fast = planRun({ passports: 10_000_000, perPair, rates: { v1: 2_000, v2: 2_000 } });
  expect(fast).toMatchObject({ chunkSize: 200, chunks: 50_000 });
  expect(fast.concurrency).toBeGreaterThan(40);
  // An account whose functions may not run as often at once: fewer workers, and a longer run.
  const input = { passports: 10_000_000, perPair, rates: { v1: 2_000, v2: 2_000 } };
  expect(planRun({ ...input, workers: 5 }).concurrency).toBe(5);
  expect(estimateRun({ ...input, workers: 5 }).hours).toBeGreaterThan(5 * estimateRun(input).hours);
  const { requests, hours } = estimateRun({ passports: 1_000_000, perPair, rates: { v1: 10, v2: 20 } });
  expect(requests).toEqual({ v1: 4_000_000, v2: 3_000_000 });
  expect(hours / 24).toBeGreaterThan(46);
});

test.each([
  [
    { passports: 5, rates: { v1: 10, v2: 20 } },
    { chunkSize: 134, chunks: 1, concurrency: 1, shards: 1 },
  ],
  [
    { passports: 25, rates: { v1: 1, v2: 1 } },
    { chunkSize: 10, chunks: 3, concurrency: 1, shards: 1 },
  ],
  // V2's rate is the lower one for each passport: 90 requests a second are 18 passports.
  [
    { passports: 1e6, rates: { v1: 9_000, v2: 1_000 } },
    { chunkSize: 200, concurrency: 33, shards: 1 },
  ],
  [
    { passports: 1e6, rates: { v1: 1_000, v2: 9_000 } },
    { chunkSize: 200, concurrency: 41, shards: 1 },
  ],
  [
    { passports: 1e6, rates: { v1: 9e4, v2: 9e4 } },
    { chunks: 5_000, concurrency: 500, shards: 5 },
  ],
  [
    { passports: 1e6, rates: { v1: 9e4, v2: 9e4 }, workers: 401 },
    { concurrency: 401, shards: 5 },
  ],
  [
    { passports: 401, rates: { v1: 9e4, v2: 9e4 } },
    { chunks: 3, concurrency: 3, shards: 1 },
  ],
])("The run %j is planned as %j", (input, expected) => {
  expect(planRun({ ...input, perPair: { v1: 4, v2: 5 } })).toMatchObject(expected);
});

test("The estimate has every cost of docs/aws/scale.md", () => {
  const estimate = estimateRun({
    passports: 10_000,
    perPair: { v1: 4, v2: 5 },
    rates: { v1: 10, v2: 20 },
  });
  // One token of V1 in 1,112 ms and four requests for each passport; the reads of V1 are 30 s apart.
  const seconds = 10_000 * 4 * 1.112 + 30;
  expect(estimate).toMatchObject({ chunks: 75, concurrency: 1, requests: { v1: 40_000, v2: 50_000 } });
  expect(estimate.hours).toBeCloseTo(seconds / 3_600, 9);
  // In each slice one write for its one block and one for the one worker; and 18 for each chunk.
  const writes = 2 * (seconds / 1.112) * 2 + 75 * 18;
  expect(estimate.tableWritesPerSecond).toBeCloseTo(writes / seconds, 9);
  const usd = {
    lambdaRequest: 77,
    lambdaArmGbSecond: seconds / 4,
    stateTransition: 245,
    tableWrite: writes,
    tableRead: seconds / 2,
    objectWrite: 160,
    objectRead: 225,
    putMetricData: 75,
  };
  const sum = Object.entries(usd).map(([name, count]) => prices[name as keyof typeof usd].usd * count);
  expect(estimate.usd).toBeCloseTo(
    sum.reduce((total, one) => total + one),
    9,
  );
  expect(estimate.resultMb).toBeCloseTo((75 * 6) / 1_024, 9);
  // 41 workers take blocks of 2 of 100 tokens of V1 and of 5 of 225 tokens of V2.
  const shared = estimateRun({ passports: 1e6, perPair: { v1: 4, v2: 5 }, rates: { v1: 1_000, v2: 2_250 } });
  const perSlice = 100 / 2 + 41 + (225 / 5 + 41);
  expect(shared.concurrency).toBe(41);
  const chunkWrites = (5_000 * 18) / (shared.hours * 3_600);
  expect(shared.tableWritesPerSecond).toBeCloseTo(perSlice / 1.112 + chunkWrites, 9);
});

test.each([
  [50, 13],
  [1, 630],
])("A difference in %d % of the passports that is found three times needs %i of them", (percent, size) => {
  expect(sampleSize(percent)).toBe(size);
  // One passport fewer finds only what is more frequent.
  expect(detectablePercent(size)).toBeLessThanOrEqual(percent);
  expect(detectablePercent(size - 1)).toBeGreaterThan(percent);
});

test("A sample that lacks one passport says so", () => {
  expect(describeSample({ passports: 11, compared: 10 })).toContain("A random sample of 10 of 11 passports.");
  expect(describeSample({ passports: 11, compared: 10 })).toContain("at least 63 % of them (7)");
});
