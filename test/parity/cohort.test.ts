// Cohorts, their ranges and samples, and the batches of a run, without servers.

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  addRange,
  countPositions,
  findRemainingRanges,
  fingerprintCohort,
  fingerprintMapping,
  readCohort,
} from "../../lib/parity/cohort.ts";
import { findUnansweredBatch, type ParityRun, runParity, sampleIds } from "../../lib/parity/parity.ts";
import { planParity } from "../../lib/parity/plan.ts";
import type { FetchBody } from "../../lib/parity/request.ts";
import type { RequestBudget } from "../../lib/parity/request-budget.ts";
import type { FieldRow, Mapping } from "../../lib/records/mapping.ts";
import { emptyParity, type Range } from "../../lib/records/parity.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";
import { fc } from "../random.ts";

/** The cohort of a file's text, with its ids as a list. */
async function readText(text: string, sampleSize?: number) {
  const read = await readCohort(text.split("\n"), sampleSize);
  return read.ok ? { ...read, ids: read.ids.slice(0, read.ids.length) } : read;
}

describe("the file of a cohort", () => {
  const wallet = `0x${"a".repeat(40)}`;
  test.each([
    ["1", true],
    ["9".repeat(16), true],
    ["1".repeat(17), false],
    ["0", false],
    ["01", false],
    ["1x", false],
    ["x1", false],
    [wallet, true],
    [wallet.toUpperCase(), false],
    [`${wallet}0`, false],
    [wallet.slice(0, -1), false],
    [`x${wallet}`, false],
    [`0x${"g".repeat(40)}`, false],
  ])("The file of a cohort accepts %s: %s", async (line, isAccepted) => {
    expect((await readText(line)).ok).toBe(isAccepted);
  });

  test("The file of a cohort names the first five lines that are no ids, and counts them all", async () => {
    expect(await readText("x\n1\nx\nx\n\nx\nx\nx")).toEqual({ ok: false, lines: [1, 3, 4, 6, 7], count: 6 });
    expect(await readText("1\n#2\n # 3")).toEqual({ ok: true, ids: ["1"], of: 1 });
    expect(await readText("1\n\uFEFF2 3")).toMatchObject({ ok: false });
  });

  test("The file of a cohort has a check that depends on the ids and their order", () => {
    expect(fingerprintCohort(["1", "2"])).toEqual({ ids: 2, check: expect.stringMatching(/^[0-9a-f]{4}$/) });
    const checks = [["1", "2"], ["2", "1"], ["12"]].map((ids) => fingerprintCohort(ids).check);
    expect(new Set(checks).size).toBe(3);
  });

  test("The file of a cohort is sampled at random, whatever its order, and taken whole if the sample is not smaller", async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => String(index + 1));
    const sampleOf = async (lines: readonly string[], size: number) => {
      const read = await readText(lines.join("\n"), size);
      return read.ok ? [...read.ids] : [];
    };
    const sample = await sampleOf(ids, 400);
    expect(new Set(sample).size).toBe(400);
    expect(await sampleOf([...ids].reverse(), 400)).toEqual(sample);
    expect(await sampleOf([...ids, ...ids], 400)).toEqual(sample);
    expect(await sampleOf(ids, 100)).toEqual(sample.slice(0, 100));
    // A sample of the first lines would have a mean of 200.
    const mean = sample.reduce((sum, id) => sum + Number(id), 0) / 400;
    expect(Math.abs(mean - 2_500)).toBeLessThan(250);
    expect(await sampleOf(ids, 5_000)).toEqual(ids);
    expect(await sampleOf(ids, 0)).toEqual([]);
  });

  test("The file of a cohort keeps each of many ids once and in order, and has the check of the whole list", async () => {
    const ids = Array.from({ length: 30_000 }, (_, index) =>
      index % 3 === 0 ? `0x${"b".repeat(34)}${100_000 + index}` : String(index + 1),
    );
    const read = await readText([...ids, ...ids.toReversed()].join("\n"));
    expect(read).toEqual({ ok: true, ids, of: 30_000 });
    expect(fingerprintCohort(ids).check).toBe(
      createHash("sha256").update(ids.join("\n")).digest("hex").slice(0, 4),
    );
  });
});

describe("the ranges that are done", () => {
  test.each<[Range[], Range, Range[]]>([
    [[], [0, 5], [[0, 5]]],
    [[], [5, 5], []],
    [[[0, 5]], [5, 7], [[0, 7]]],
    [
      [[0, 5]],
      [6, 7],
      [
        [0, 5],
        [6, 7],
      ],
    ],
    [[[6, 7]], [0, 6], [[0, 7]]],
    [[[0, 9]], [2, 3], [[0, 9]]],
    [
      [
        [0, 2],
        [4, 6],
      ],
      [1, 5],
      [[0, 6]],
    ],
  ])("The ranges %j with %j added are %j", (done, added, expected) => {
    expect(addRange(done, added)).toEqual(expected);
  });

  test("The ranges that remain are those between the ranges that are done, up to the end", () => {
    const done: Range[] = [
      [2, 4],
      [6, 8],
    ];
    expect(findRemainingRanges(done, 10)).toEqual([
      [0, 2],
      [4, 6],
      [8, 10],
    ]);
    expect(findRemainingRanges(done, 8)).toEqual([
      [0, 2],
      [4, 6],
    ]);
    expect(findRemainingRanges([[0, 4]], 4)).toEqual([]);
    expect(findRemainingRanges([[5, 9]], 3)).toEqual([[0, 3]]);
    expect(findRemainingRanges([], 0)).toEqual([]);
    expect(countPositions(done)).toBe(4);
  });
});

describe("cohort", () => {
  test("readCohort accepts ids and wallets and reports other lines by number only", async () => {
    const wallet = `0x${"aB".repeat(20)}`;
    const both = { ok: true, ids: ["12", wallet], of: 2 };
    expect(await readText(`\uFEFF# ours\n12\r\n\n ${wallet} \n`)).toEqual(both);
    expect(await readText([12, wallet, 12, wallet.toLowerCase()].join("\n"))).toEqual(both);
    expect(await readText("12\nAda Lovelace\n-1\n0x12\n")).toEqual({ ok: false, lines: [2, 3, 4], count: 3 });
  });

  test("fingerprintCohort has too few bits to recover an id by brute force", () => {
    const keys = Array.from({ length: 200_000 }, (_, id) => fingerprintCohort([String(id)]).check);
    const same = keys.filter((check) => check === keys[4_711]).length;
    expect(same).toBeGreaterThan(1);
    expect(fingerprintCohort(["1", "2"])).not.toEqual(fingerprintCohort(["2", "1"]));
  });

  test("addRange and findRemainingRanges agree in whatever order batches finish", () => {
    const batches = fc.uniqueArray(fc.nat(49), { maxLength: 50 });
    fc.assert(
      fc.property(batches, (numbers) => {
        const done = numbers.reduce<Range[]>((ranges, n) => addRange(ranges, [n * 2, n * 2 + 2]), []);
        expect(countPositions(done)).toBe(numbers.length * 2);
        const gaps = findRemainingRanges(done, 100);
        expect(countPositions(gaps)).toBe(100 - numbers.length * 2);
        for (const [from, until] of done) expect(gaps.some(([a, b]) => a < until && from < b)).toBe(false);
        expect(addRange(done, [0, 100])).toEqual([[0, 100]]);
      }),
    );
  });
});

describe("the hash of a mapping", () => {
  const score = { decision: "moved", endpoint: "profile", path: "score" } as const;
  const make = (row: FieldRow, more: Partial<Mapping["v2"]> = {}): Mapping => {
    const mapping = decidedMapping("http://v2", { "passport.score": row });
    return { ...mapping, v2: { ...mapping.v2, ...more } };
  };
  const original = fingerprintMapping(make(score));

  test.each<[string, Mapping]>([
    ["a note", make({ ...score, note: "x", status: "verified" })],
    ["the decision", make({ ...score, decision: "renamed" })],
    ["the base URL and the key", make(score, { baseUrl: "http://other", key: "none" })],
    ["the mode that is used anyway", make({ ...score, compare: "value" })],
    [
      "the order of the rows",
      { ...make(score), fields: Object.fromEntries(Object.entries(make(score).fields).reverse()) },
    ],
  ])("The hash of a mapping does not depend on %s", (_title, mapping) => {
    expect(fingerprintMapping(mapping)).toBe(original);
    expect(original).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each<[string, Mapping]>([
    ["the path", make({ ...score, path: "points" })],
    ["the endpoint", make({ ...score, endpoint: "other" })],
    ["the mode", make({ ...score, compare: "type" })],
    ["the transform", make({ ...score, decision: "transformed", transform: "number-to-string" })],
    ["V2's endpoints", make(score, { endpoints: { profile: { path: "/other" } } })],
    ["a field that is not compared", make({ decision: "undecided" })],
  ])("The hash of a mapping depends on %s", (_title, mapping) => {
    expect(fingerprintMapping(mapping)).not.toBe(original);
  });

  test("The hash of a mapping tells transforms from each other", () => {
    const transforms = ["number-to-string", "string-to-number"] as const;
    const [one, other] = transforms.map((transform) =>
      fingerprintMapping(make({ ...score, decision: "transformed", transform })),
    );
    expect(one).not.toBe(other);
  });
});

test.each<[string, Record<string, number>, number, number, string | undefined]>([
  ["no passport failed", {}, 0, 0, undefined],
  ["every passport failed", { "v1 500": 5 }, 0, 10, "v1 500"],
  ["fewer than five failed after a success", { "v1 500": 4 }, 0, 10, undefined],
  ["the first one failed", { "v1 500": 1 }, 0, 0, "v1 500"],
  ["one passport was compared", { "v1 500": 9 }, 1, 0, undefined],
  ["the passports are unknown", { "v1 absent": 9 }, 0, 0, undefined],
  ["the passports have no wallet", { "v1 no-wallet": 9 }, 0, 0, undefined],
  ["V1 answered for one of them", { "v1 absent": 1, "v2 500": 9 }, 0, 0, undefined],
  ["there are several causes", { "v1 500": 2, "v2 500": 3, "v2 429": 1 }, 0, 9, "v2 500"],
])("A batch in which %s is unanswered: %j, %i, %i, %s", (_title, skipped, pairs, before, why) => {
  const batch = { ...emptyParity(), skipped, pairs };
  const expected = why === undefined ? undefined : { kind: "unanswered", why };
  expect(findUnansweredBatch(batch, { ...emptyParity(), pairs: before })).toEqual(expected);
});

describe("ids from V1's list", () => {
  const pageOf = (...ids: unknown[]) => ({
    kind: "ok" as const,
    body: { passports: ids.map((passport_id) => ({ passport_id })) },
  });
  function record(pages: Record<number, Awaited<ReturnType<FetchBody>>>) {
    const asked: string[] = [];
    const fetchBody: FetchBody = async (version, path) => {
      asked.push(`${version} ${path}`);
      return pages[Number(path.split("=")[1])] ?? { kind: "absent" };
    };
    return { asked, fetchBody };
  }

  test("Ids from V1's list are read until there are enough, whole numbers only and each once", async () => {
    const { asked, fetchBody } = record({ 1: pageOf(1, "2", 2.5, 3, 1), 2: pageOf(3, 4, 5) });
    expect(await sampleIds(fetchBody, 3)).toEqual({ ids: ["1", "3", "4"], requests: 2 });
    expect(asked).toEqual(["v1 /api/v1/passports?page=1", "v1 /api/v1/passports?page=2"]);
  });

  test("Ids from V1's list end with a page that has no new ones, and with a page that fails", async () => {
    const repeating = record({ 1: pageOf(1), 2: pageOf(1), 3: pageOf(2) });
    expect(await sampleIds(repeating.fetchBody, 9)).toEqual({ ids: ["1"], requests: 2 });
    const failing = record({ 1: pageOf(1), 2: { kind: "failed", why: "500" }, 3: pageOf(2) });
    expect(await sampleIds(failing.fetchBody, 9)).toEqual({ ids: ["1"], requests: 2 });
    const odd = record({ 1: { kind: "ok", body: { passports: "none" } } });
    expect(await sampleIds(odd.fetchBody, 9)).toEqual({ ids: [], requests: 1 });
    expect(await sampleIds(odd.fetchBody, 0)).toEqual({ ids: [], requests: 0 });
  });
});

describe("a run", () => {
  const row: FieldRow = { decision: "same", endpoint: "profile", path: "score" };
  const base = decidedMapping("http://v2");
  const mapping = {
    ...base,
    fields: { "passport.score": row },
    v2: { ...base.v2, endpoints: { profile: { path: "/p" } } },
  };
  const make = (more: Partial<ParityRun> = {}): ParityRun => ({
    ids: ["1", "2", "3", "4", "5"],
    mapping,
    plan: planParity(mapping),
    secondReadDelayMs: 0,
    concurrentRecords: 1,
    batchSize: 2,
    concurrentBatches: 1,
    fetchBody: async (version) =>
      version === "v1"
        ? { kind: "ok", body: { passport: { passport_id: 1, score: 1 } } }
        : { kind: "ok", body: { score: 1 } },
    ...more,
  });

  test("A run reports its progress after each batch, one call at a time", async () => {
    const progress: Range[][] = [];
    let inside = 0;
    const run = make({
      concurrentBatches: 3,
      async onProgress({ done }) {
        expect(++inside).toBe(1);
        await new Promise(setImmediate);
        progress.push(done);
        inside--;
      },
    });
    expect((await runParity(run)).done).toEqual([[0, 5]]);
    const counts = progress.map(countPositions);
    expect(counts).toEqual(counts.toSorted());
    expect([counts.length, counts.at(-1)]).toEqual([3, 5]);
  });

  test("A run goes on where an earlier one ended", async () => {
    const asked: string[] = [];
    const { fetchBody } = make();
    const run = make({
      fetchBody: (version, path) => {
        if (version === "v1") asked.push(path);
        return fetchBody(version, path);
      },
      resumeFrom: { done: [[1, 4]], aggregate: { ...emptyParity(), pairs: 3 }, differing: {} },
    });
    const { done, aggregate, ending } = await runParity(run);
    expect({ done, ending, pairs: aggregate.pairs }).toEqual({
      done: [[0, 5]],
      ending: { kind: "finished" },
      pairs: 5,
    });
    expect(new Set(asked)).toEqual(new Set(["/api/v1/passports/1", "/api/v1/passports/5"]));
  });

  test("A run reserves whole passports, and gives back the requests of those that were skipped", async () => {
    const [reserved, released]: [[number, number | undefined][], number[]] = [[], []];
    const requestBudget: RequestBudget = {
      async reserve(requested, unit) {
        reserved.push([requested, unit]);
        return { requests: requested, release: async (unused) => void released.push(unused) };
      },
    };
    const fetchBody: FetchBody = async () => ({ kind: "absent" });
    const { aggregate } = await runParity(make({ requestBudget, fetchBody }));
    expect(reserved).toEqual([
      [4, 2],
      [4, 2],
      [2, 2],
    ]);
    expect(released).toEqual([2, 2, 1]);
    expect(aggregate.skipped).toEqual({ "v1 absent": 5 });
  });

  test("A run ends for the cause that the budget names, or for its requests", async () => {
    for (const [limitedBy, expected] of [
      [undefined, "requests"],
      ["store", "store"],
    ] as const) {
      const requestBudget: RequestBudget = {
        reserve: async () => ({ requests: 0, ...(limitedBy && { limitedBy }), release: async () => {} }),
      };
      const { ending, done } = await runParity(make({ requestBudget }));
      expect({ ending, done }).toEqual({ ending: { kind: "budget", limitedBy: expected }, done: [] });
    }
  });
});
