// A cohort that is too large for memory: read as a stream, counted line by line, and cut into chunks.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readChunks, spreadCohort } from "../../lib/parity/cohort.ts";
import {
  describeSample,
  detectablePercent,
  estimateRun,
  planRun,
  sampleSize,
} from "../../lib/parity/estimate.ts";
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

test("every line is counted as an id, a wallet, a duplicate, ignored or foreign, and nothing else", async () => {
  const { place, counts } = await spread(
    `\uFEFF# users\n1\n2\r\n\n2\n${wallet}\n${wallet.toLowerCase()}\nalice@example.com\n0x12\n3`,
  );
  expect(counts).toEqual({
    ...{ lines: 10, ids: 4, wallets: 2, duplicates: 2, ignored: 2 },
    ...{ foreign: 2, foreignLines: [8, 9], passports: 4 },
  });
  expect(all(place).flat().sort()).toEqual([expect.stringMatching(/^0x[aAbB]{40}$/), "1", "2", "3"]);
});

test("a column of CSV and a member of JSONL are read", async () => {
  const csv = await spread('name,passport_id\n"x",17\nlonger,18\n');
  expect(csv.counts).toMatchObject({ ids: 2, ignored: 1, foreign: 0 });
  const first = await spread("21;x\n22;y\n");
  expect(all(first.place).flat().sort()).toEqual(["21", "22"]);
  const jsonl = await spread(`{"passport_id": 31}\n{"wallet": "${wallet}"}\n{"name": "x"}\n{broken\n`);
  expect(jsonl.counts).toMatchObject({ ids: 1, wallets: 1, foreign: 2, foreignLines: [3, 4] });
});

test("an empty file, a file of blank lines and a line without an end are counted", async () => {
  expect((await spread("")).counts).toMatchObject({ lines: 0, passports: 0 });
  expect((await spread("\n\n# x\n")).counts).toMatchObject({ lines: 3, ignored: 3, passports: 0 });
  expect((await spread("7".repeat(1_000_000))).counts).toMatchObject({ foreign: 1, passports: 0 });
});

test("the chunks have every passport once, and the sample does not depend on the order of the file", async () => {
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

test("a sample shows a difference at the size that is promised, and its text says what it could miss", () => {
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

test("chunks fit into the time of a function, and the number of workers follows the rate", () => {
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
