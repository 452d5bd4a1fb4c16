import { afterEach, describe, expect, test } from "vitest";
import { countPositions } from "../../lib/parity/cohort.ts";
import { judgeParity } from "../../lib/parity/judge.ts";
import { createRateLimiter } from "../../lib/parity/limits.ts";
import {
  listDoubtful,
  type ParityRun,
  type Progress,
  readAgain,
  runParity,
  sampleIds,
} from "../../lib/parity/parity.ts";
import { planParity } from "../../lib/parity/plan.ts";
import { createParityClient, type FetchBody, type ParityClientOptions } from "../../lib/parity/request.ts";
import { limitedBudget, type RequestBudget } from "../../lib/parity/request-budget.ts";
import { emptyParity, mergeParity, type ParityAggregate, parityAggregate } from "../../lib/records/parity.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { startV2Simulator } from "../../lib/simulator/v2/server.ts";
import { decidedMapping, now } from "../mapping/v2-mapping.ts";
import { respond, serve } from "../probe/http/hostile-server.ts";
import { fc } from "../random.ts";

const clock = { now: () => now };
const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const limits = { deadlineMs: 2_000, maxBodyBytes: 2 ** 21, allowLoopback: true };

function createFetchBody(v1: string, v2: string, more: Partial<ParityClientOptions> = {}) {
  const client = createParityClient({
    v1: { baseUrl: v1 },
    v2: { baseUrl: v2, apiKey: "k" },
    concurrency: 4,
    ...limits,
    ...more,
  });
  open.push(client);
  return client.fetchBody;
}

async function startSimulators(passports = 40) {
  const [v1, v2] = await Promise.all([
    startSimulator({ passports, clock }),
    startV2Simulator({ passports, clock }),
  ]);
  open.push(v1, v2);
  const mapping = decidedMapping(v2.url);
  const ids = Array.from({ length: passports }, (_, index) => String(v1.population.idOf(index)));
  const run: ParityRun & { ids: string[] } = {
    ids,
    mapping,
    plan: planParity(mapping),
    fetchBody: createFetchBody(v1.url, v2.url),
    secondReadDelayMs: 0,
    concurrentRecords: 4,
    batchSize: 10,
    concurrentBatches: 2,
  };
  return { v1, v2, run };
}

const field = fc.record({
  compared: fc.nat(1_000),
  raw: fc.dictionary(fc.constantFrom("type", "value"), fc.nat(99)),
  noise: fc.dictionary(fc.constantFrom("type", "value"), fc.nat(99)),
  again: fc.option(fc.record({ read: fc.nat(99), differ: fc.nat(9) }), { nil: undefined }),
});
const aggregates: fc.Arbitrary<ParityAggregate> = fc.record({
  schema: fc.constant("v1watch/parity/1" as const),
  pairs: fc.nat(1_000),
  skipped: fc.dictionary(fc.constantFrom("v1 absent", "v2 timeout"), fc.nat(99)),
  requests: fc.record({ v1: fc.nat(99), v2: fc.nat(99) }),
  fields: fc.dictionary(fc.constantFrom("a", "b.c", "constructor"), field),
  shape: fc.dictionary(fc.constantFrom("x", "y"), fc.nat(9)),
  v2: fc.record({
    sent: fc.nat(99),
    answered: fc.nat(99),
    usable: fc.nat(99),
    by: fc.dictionary(fc.constantFrom("200", "404", "timeout"), fc.nat(99)),
  }),
  identity: fc.record({ named: fc.nat(99), others: fc.nat(9), ids: fc.nat(99), repeated: fc.nat(9) }),
});

describe("mergeParity", () => {
  test("mergeParity is commutative and associative, with emptyParity as its identity", () => {
    fc.assert(
      fc.property(aggregates, aggregates, aggregates, (a, b, c) => {
        const text = (value: ParityAggregate) => JSON.stringify(parityAggregate.parse(value));
        expect(text(mergeParity(a, b))).toBe(text(mergeParity(b, a)));
        expect(text(mergeParity(mergeParity(a, b), c))).toBe(text(mergeParity(a, mergeParity(b, c))));
        const whole = mergeParity(a, emptyParity());
        expect(text(mergeParity(whole, emptyParity()))).toBe(text(whole));
        expect(whole).toEqual(a);
      }),
    );
  });
});

describe("runParity", () => {
  test("runParity counts each passport once, with two reads of V1 and one of V2", async () => {
    const { v1, v2, run } = await startSimulators();
    const { aggregate, done, ending } = await runParity(run);
    expect({ done, ending, pairs: aggregate.pairs }).toEqual({
      done: [[0, 40]],
      ending: { kind: "finished" },
      pairs: 40,
    });
    expect(aggregate.requests).toEqual({ v1: 40 * 4, v2: 40 * 5 });
    expect([v1.requests(), v2.requests()]).toEqual([40 * 4, 40 * 5]);
    expect(judgeParity(aggregate).verdict).toBe("parity");
  });

  test("runParity releases reserved requests that a batch did not need or that a stop left unsent", async () => {
    const { run, v1, v2 } = await startSimulators();
    const reserved = { requests: 0 };
    const requestBudget: RequestBudget = {
      async reserve(wanted) {
        reserved.requests += wanted;
        const release = async (unused: number) => {
          reserved.requests -= unused;
        };
        return { requests: wanted, release };
      },
    };
    await runParity({ ...run, ids: [...run.ids, "999999"], requestBudget });
    expect(reserved.requests).toBe(v1.requests());
    const stop = new AbortController();
    const fetchBody = createFetchBody(v1.url, v2.url, { signal: stop.signal });
    const fetchAndAbort = async (...question: Parameters<typeof fetchBody>) => {
      if (v1.requests() > 40 * 4 + 20) stop.abort();
      return fetchBody(...question);
    };
    const stopped = await runParity({ ...run, fetchBody: fetchAndAbort, signal: stop.signal, requestBudget });
    expect(stopped.ending).toEqual({ kind: "stopped" });
    // A request in flight when the run stopped may have been sent, so it stays reserved.
    expect(reserved.requests).toBeGreaterThanOrEqual(v1.requests());
    expect(reserved.requests).toBeLessThan(v1.requests() + 20);
    expect(stopped.aggregate.requests.v1).toBe(reserved.requests - (40 * 4 + 1));
  });

  test("runParity compares passports later if the budget could not reserve their requests at first", async () => {
    const { run } = await startSimulators();
    let fetchAndAbort = 0;
    const requestBudget: RequestBudget = {
      async reserve(wanted, unit = 1) {
        await new Promise((resolve) => setTimeout(resolve, 3));
        return { requests: fetchAndAbort++ === 1 ? unit : wanted, release: async () => {} };
      },
    };
    const { done, ending, aggregate } = await runParity({ ...run, requestBudget });
    expect({ done, ending, pairs: aggregate.pairs }).toEqual({
      done: [[0, 40]],
      ending: { kind: "finished" },
      pairs: 40,
    });
  });

  test("runParity ends when the budget is exhausted, with several concurrent batches", async () => {
    const { run } = await startSimulators();
    let left = 15 * run.plan.requestsPerPair.v1;
    const requestBudget: RequestBudget = {
      async reserve(wanted, unit = 1) {
        await new Promise((resolve) => setTimeout(resolve, 3));
        const requests = Math.floor(Math.min(wanted, left) / unit) * unit;
        left -= requests;
        return { requests, limitedBy: "watch", release: async () => {} };
      },
    };
    const { done, ending } = await runParity({ ...run, requestBudget });
    expect({ done, ending }).toEqual({ done: [[0, 15]], ending: { kind: "budget", limitedBy: "watch" } });
  });

  test("runParity waits secondReadDelayMs between the two reads of V1", async () => {
    const { run } = await startSimulators(2);
    const startedAt = performance.now();
    await runParity({ ...run, secondReadDelayMs: 150 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
  });

  /** The order of records is compared inside a batch, so its counts depend on the batches. */
  function withoutOrder({ fields, ...aggregate }: ParityAggregate) {
    const counts = Object.entries(fields).map(([path, { numbers, ...field }]) => [
      path,
      { ...field, records: numbers?.records, zeros: numbers?.zeros },
    ]);
    return { ...aggregate, fields: Object.fromEntries(counts) };
  }

  test("runParity gives the same counts for every batch size, but for the order of records", async () => {
    const { run } = await startSimulators();
    const texts = [];
    for (const batchSize of [7, 40]) {
      const { aggregate } = await runParity({ ...run, batchSize });
      texts.push(JSON.stringify(withoutOrder(aggregate)));
    }
    expect(texts[0]).toBe(texts[1]);
  });

  const pointsOf = (change: (points: number, count: number) => number) => {
    let count = 0;
    return (body: unknown) => {
      const { score } = body as { score: { points: number } };
      return { ...(body as object), score: { ...score, points: change(score.points, ++count) } };
    };
  };
  test.each([
    ["0 for everybody", pointsOf(() => 0), "differences", ["rank", "zero"]],
    [
      "0 for every fifth record",
      pointsOf((points, count) => (count % 5 === 0 ? 0 : points)),
      "differences",
      ["rank", "zero"],
    ],
    ["the same for everybody", pointsOf(() => 100), "differences", ["rank"]],
    ["in the opposite order", pointsOf((points) => 10_000 - points), "differences", ["rank"]],
    [
      "random for every third record",
      pointsOf((points, count) => (count % 3 === 0 ? (count * 7_919) % 10_007 : points)),
      "differences",
      ["rank"],
    ],
    ["in levels of 100", pointsOf((points) => Math.floor(points / 100) + 1), "parity", []],
    ["on another scale", pointsOf((points) => 10 * points + 3), "parity", []],
  ])(
    "A number that is compared by type only and that in V2 is %s is judged by its zeros and its order",
    async (_, change, verdict, kinds) => {
      const { run } = await startSimulators();
      const { aggregate } = await runParity({
        ...run,
        async fetchBody(version, path) {
          const result = await run.fetchBody(version, path);
          const isScore = version === "v2" && result.kind === "ok" && path.startsWith("/score");
          return isScore ? { ...result, body: change(result.body) } : result;
        },
      });
      const judged = judgeParity(aggregate);
      expect(judged.verdict).toBe(verdict);
      expect(judged.differences.map(({ path, kind }) => `${path} ${kind}`).sort()).toEqual(
        kinds.map((kind) => `passport.score ${kind}`),
      );
    },
  );

  /** Another body of V2 for some ids. */
  const withV2 = (run: ParityRun, change: (path: string) => string): ParityRun => ({
    ...run,
    fetchBody: (version, path) => run.fetchBody(version, version === "v2" ? change(path) : path),
  });

  test("Another person's record for one passport in twenty is seen, and so is one record for everybody", async () => {
    const { run, v1 } = await startSimulators();
    const walletOf = (index: number) => v1.population.walletOf(index, 0);
    const strangers = [5, 18, 31].map(walletOf);
    const isWallet = /0x[0-9a-f]{40}/i;
    const swap = (path: string) =>
      strangers.some((wallet) => path.includes(wallet)) ? path.replace(isWallet, walletOf(0)) : path;
    const some = await runParity(withV2(run, swap));
    expect(some.aggregate.identity).toEqual({ named: 40, others: 3, ids: 40, repeated: 3 });
    const kinds = ({ aggregate }: Progress) =>
      judgeParity(aggregate).differences.flatMap(({ path, kind }) =>
        path === "passport.passport_id" ? [kind] : [],
      );
    expect(kinds(some).sort()).toEqual(["person", "repeated"]);
    const one = await runParity(withV2(run, (path) => path.replace(isWallet, walletOf(0))));
    expect(one.aggregate.identity).toEqual({ named: 40, others: 39, ids: 40, repeated: 39 });
    const honest = await runParity(run);
    expect(honest.aggregate.identity).toEqual({ named: 40, others: 0, ids: 40, repeated: 0 });
  });

  test("What V2 answers is counted by request, also where the run ends because it answers nothing", async () => {
    const { run } = await startSimulators();
    expect((await runParity(run)).aggregate.v2).toEqual({
      sent: 200,
      answered: 200,
      usable: 200,
      by: { "200": 200 },
    });
    const nobody = await runParity(withV2(run, () => "/nowhere"));
    expect(nobody.aggregate.v2).toEqual({ sent: 200, answered: 200, usable: 0, by: { "404": 200 } });
    const fetchBody: FetchBody = (version, path) =>
      version === "v2" ? Promise.resolve({ kind: "failed", why: "refused" }) : run.fetchBody(version, path);
    const dead = await runParity({ ...run, fetchBody, concurrentBatches: 1 });
    expect(dead.ending).toEqual({ kind: "unanswered", why: "v2 refused" });
    expect(dead.aggregate.v2).toEqual({ sent: 50, answered: 0, usable: 0, by: { refused: 50 } });
  });

  /** A V2 with another name for the given ids, as long as `isOdd` says so. */
  const withOddNames = (
    run: ParityRun & { ids: string[] },
    odd: readonly string[],
    isOdd: () => boolean,
  ) => ({
    ...run,
    async fetchBody(version: "v1" | "v2", path: string) {
      const result = await run.fetchBody(version, path);
      const isMeant =
        version === "v2" && path.startsWith("/profile") && odd.some((wallet) => path.includes(wallet));
      if (!isMeant || !isOdd() || result.kind !== "ok") return result;
      const body = structuredClone(result.body) as { profile: { bio: string } };
      body.profile.bio = "somebody else's";
      return { ...result, body };
    },
  });
  const walletsOf = ({ population }: Awaited<ReturnType<typeof startSimulator>>) =>
    [3, 4].map((index) => population.walletOf(index, 0));
  const bio = "passport.passport_profile.bio";
  const standingsOf = ({ aggregate }: Progress) => {
    const { verdict, differences, unsure, gone } = judgeParity(aggregate);
    const paths = (list: typeof gone) => list.map(({ path }) => path);
    return { verdict, differences: paths(differences), unsure: paths(unsure), gone: paths(gone) };
  };

  test("What differs rarely is no parity; read again, it is gone or a difference", async () => {
    const { run, v1 } = await startSimulators();
    for (const isLasting of [false, true]) {
      let isOdd = true;
      const odd = withOddNames(run, walletsOf(v1), () => isOdd);
      const first = await runParity(odd);
      expect(standingsOf(first)).toEqual({
        verdict: "insufficient",
        differences: [],
        unsure: [bio],
        gone: [],
      });
      expect(first.differing).toEqual({ [bio]: [3, 4] });
      isOdd = isLasting;
      const again = await readAgain(odd, first);
      expect(again.aggregate.requests.v1).toBe(first.aggregate.requests.v1 + 2 * 4);
      expect(standingsOf(again)).toEqual(
        isLasting
          ? { verdict: "differences", differences: [bio], unsure: [], gone: [] }
          : { verdict: "parity", differences: [], unsure: [], gone: [bio] },
      );
      expect(listDoubtful(again)).toEqual([]);
    }
  });

  test("What was not read again, because of the budget or a stop, stays a doubt", async () => {
    const { run, v1 } = await startSimulators();
    const odd = withOddNames(run, walletsOf(v1), () => true);
    const first = await runParity(odd);
    const poor = await readAgain(
      { ...withOddNames(run, [], () => false), requestBudget: limitedBudget(4) },
      first,
    );
    expect(poor.ending).toEqual({ kind: "budget", limitedBy: "requests" });
    expect(standingsOf(poor)).toMatchObject({ verdict: "insufficient", unsure: [bio] });
    const stopped = await readAgain({ ...odd, signal: AbortSignal.abort() }, first);
    expect(stopped.ending).toEqual({ kind: "stopped" });
    expect(standingsOf(stopped)).toMatchObject({ verdict: "insufficient", unsure: [bio] });
  });

  test("runParity stops at its budget and resumes without repeating a request", async () => {
    const { v1, v2, run } = await startSimulators();
    const kept: Progress[] = [];
    const onProgress = (progress: Progress) => void kept.push(structuredClone(progress));
    const { v1: perPair, v2: v2PerPair } = run.plan.requestsPerPair;
    const first = await runParity({ ...run, requestBudget: limitedBudget(23 * perPair + 3), onProgress });
    expect(first.ending).toEqual({ kind: "budget", limitedBy: "requests" });
    expect(countPositions(first.done)).toBe(23);
    expect([v1.requests(), v2.requests()]).toEqual([23 * perPair, 23 * v2PerPair]);
    const second = await runParity({ ...run, resumeFrom: kept.at(-1) ?? first });
    expect(second.ending).toEqual({ kind: "finished" });
    expect(second.aggregate.pairs).toBe(40);
    expect([v1.requests(), v2.requests()]).toEqual([40 * perPair, 40 * v2PerPair]);
    const whole = await runParity(run);
    expect(withoutOrder(second.aggregate)).toEqual(withoutOrder(whole.aggregate));
  });

  test("runParity discards the results of a batch that was aborted", async () => {
    const { run, v1, v2 } = await startSimulators();
    const stop = new AbortController();
    const fetchBody = createFetchBody(v1.url, v2.url, { signal: stop.signal });
    const kept: Progress[] = [];
    const stopped = await runParity({
      ...run,
      fetchBody,
      signal: stop.signal,
      concurrentBatches: 1,
      onProgress(progress) {
        kept.push(progress);
        if (kept.length === 2) setTimeout(() => stop.abort(), 2);
      },
    });
    expect(stopped.ending).toEqual({ kind: "stopped" });
    expect(stopped.done).toEqual(kept.at(-1)?.done);
    expect(stopped.aggregate.pairs).toBe(countPositions(stopped.done));
  });

  test("runParity skips an id that is unknown to V1 and marks it as done", async () => {
    const { run } = await startSimulators();
    const { aggregate, ending, done } = await runParity({ ...run, ids: [...run.ids, "999999"] });
    expect({ ending, done, skipped: aggregate.skipped }).toEqual({
      ending: { kind: "finished" },
      done: [[0, 41]],
      skipped: { "v1 absent": 1 },
    });
  });

  test("runParity accepts wallets as ids", async () => {
    const { run, v1 } = await startSimulators();
    const ids = run.ids.map((_, index) => v1.population.walletOf(index, 0));
    const { aggregate } = await runParity({ ...run, ids });
    expect({ pairs: aggregate.pairs, verdict: judgeParity(aggregate).verdict }).toEqual({
      pairs: 40,
      verdict: "parity",
    });
  });

  test("runParity stops after the first batch if V2 rejects every request", async () => {
    const { run, v1, v2 } = await startSimulators();
    const fetchBody = createFetchBody(v1.url, v2.url, { v2: { baseUrl: v2.url } });
    const { ending, done, aggregate } = await runParity({ ...run, fetchBody, concurrentBatches: 1 });
    expect(ending).toEqual({ kind: "unanswered", why: "v2 401" });
    expect({ done, pairs: aggregate.pairs }).toEqual({ done: [], pairs: 0 });
    expect(v2.requests()).toBeLessThanOrEqual(50);
  });

  test("runParity reports a fixed reason for each malformed or refused response", async () => {
    const { run, v1 } = await startSimulators(4);
    for (const [responder, why] of [
      [respond("200 OK", "<html>"), "v2 not-json"],
      [respond("200 OK", "[".repeat(100_000)), "v2 not-json"],
      [respond("302 Found", "", ["Location: http://127.0.0.1/"]), "v2 302"],
      [respond("429 Too Many Requests", "{}"), "v2 429"],
    ] as const) {
      await using server = await serve(responder);
      const fetchBody = createFetchBody(v1.url, server.url.origin);
      expect((await runParity({ ...run, fetchBody })).ending, why).toEqual({ kind: "unanswered", why });
    }
  });

  test("runParity counts a failed last batch of one passport and finishes", async () => {
    const { run, v1, v2 } = await startSimulators(31);
    const fetchFromSimulators = createFetchBody(v1.url, v2.url);
    const last = run.ids.at(-1)!;
    let isLast = false;
    const fetchBody: FetchBody = async (side, path) => {
      if (side === "v1") isLast = path.endsWith(last);
      return side === "v2" && isLast ? { kind: "failed", why: "500" } : fetchFromSimulators(side, path);
    };
    const { ending, aggregate } = await runParity({ ...run, fetchBody, concurrentBatches: 1 });
    expect(ending).toEqual({ kind: "finished" });
    expect(aggregate).toMatchObject({ pairs: 30, skipped: { "v2 500": 1 } });
  });

  test("runParity counts a passport once if a list is mapped to two V2 lists", async () => {
    const { run, v2 } = await startSimulators(12);
    const mapping = decidedMapping(v2.url);
    const row = mapping.fields["passport_credentials[].name"];
    if (!row || !("path" in row)) throw new Error("no row");
    mapping.fields["passport_credentials[].name"] = { ...row, path: "elsewhere[].name" } as typeof row;
    const { aggregate } = await runParity({ ...run, mapping, plan: planParity(mapping) });
    const { compared, raw } = aggregate.fields["passport_credentials[]"]!;
    expect(compared).toBe(12);
    expect(Object.values(raw).reduce((sum, times) => sum + (times ?? 0), 0)).toBe(12);
  });

  test("sampleIds reads the requested number of ids from V1's list, page by page", async () => {
    const { run, v1 } = await startSimulators(60);
    expect(await sampleIds(run.fetchBody, 30)).toMatchObject({ requests: 2, ids: { length: 30 } });
    expect(await sampleIds(run.fetchBody, 60, limitedBudget(1))).toMatchObject({
      requests: 1,
      ids: { length: 25 },
    });
    const all = await sampleIds(run.fetchBody, 500);
    expect(new Set(all.ids).size).toBe(60);
    expect(all.ids.map(Number).sort((a, b) => a - b)[0]).toBe(v1.population.idOf(0));
  });
});

describe("createRateLimiter", () => {
  test("createRateLimiter limits the requests in any window and the concurrent requests", async () => {
    const rateLimiter = createRateLimiter(3);
    const burst = { requests: 5, windowMs: 200 };
    const left: number[] = [];
    const startedAt = performance.now();
    let inside = 0;
    await Promise.all(
      Array.from({ length: 18 }, async () => {
        const release = await rateLimiter.acquire("http://a", burst);
        left.push(performance.now());
        expect(++inside).toBeLessThanOrEqual(3);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside--;
        release();
      }),
    );
    // A timestamp is recorded after the request is admitted, so it can only be late: this lower bound is exact.
    for (const [index, at] of left.entries()) {
      expect(at - startedAt).toBeGreaterThanOrEqual(Math.floor(index / 5) * 200);
    }
    // The delay of recording differs between two requests, but by far less than half a window.
    for (let index = 5; index < left.length; index++) {
      expect((left[index] ?? 0) - (left[index - 5] ?? 0)).toBeGreaterThan(100);
    }
  });

  test("createRateLimiter honours Retry-After for one server without delaying the other", async () => {
    await using rateLimited = await serve(respond("429 Too Many Requests", "{}", ["Retry-After: 1"]));
    const { run, v1 } = await startSimulators(1);
    const fetchBody = createFetchBody(v1.url, rateLimited.url.origin);
    expect(await fetchBody("v2", "/profile")).toEqual({ kind: "failed", why: "429" });
    const startedAt = performance.now();
    const order: string[] = [];
    await Promise.all([
      fetchBody("v2", "/profile").then(() => order.push("v2")),
      fetchBody("v1", `/api/v1/passports/${run.ids[0]}`).then(() => order.push("v1")),
    ]);
    expect(order).toEqual(["v1", "v2"]);
    expect(performance.now() - startedAt).toBeGreaterThan(950);
  });
});
