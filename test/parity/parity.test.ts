import { afterEach, describe, expect, test } from "vitest";
import { readShape } from "../../lib/mapping/v2-shape.ts";
import {
  addRange,
  countPositions,
  findRemainingRanges,
  fingerprintCohort,
  readCohort,
  sampleCohort,
} from "../../lib/parity/cohort.ts";
import { compareBodies, findBreaches } from "../../lib/parity/compare.ts";
import { diffyRule, judgeParity } from "../../lib/parity/judge.ts";
import { createRateLimiter, limitedBudget, type RequestBudget } from "../../lib/parity/limits.ts";
import { type ParityRun, type Progress, runParity, sampleIds } from "../../lib/parity/parity.ts";
import { planParity } from "../../lib/parity/plan.ts";
import { createParityClient, type FetchBody, type ParityClientOptions } from "../../lib/parity/request.ts";
import {
  emptyParity,
  mergeParity,
  type ParityAggregate,
  parityAggregate,
  type Range,
} from "../../lib/records/parity.ts";
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

const limits = { deadlineMs: 2_000, maxBodyBytes: 2 ** 21, maxWireBytes: 2 ** 21, allowLoopback: true };

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
  const run: ParityRun = {
    ...{ ids, mapping, plan: planParity(mapping), fetchBody: createFetchBody(v1.url, v2.url) },
    ...{ secondReadDelayMs: 0, concurrentPassports: 4, batchSize: 10, concurrentBatches: 2 },
  };
  return { v1, v2, run };
}

const field = fc.record({
  compared: fc.nat(1_000),
  raw: fc.dictionary(fc.constantFrom("type", "value"), fc.nat(99)),
  noise: fc.dictionary(fc.constantFrom("type", "value"), fc.nat(99)),
});
const aggregates: fc.Arbitrary<ParityAggregate> = fc.record({
  schema: fc.constant("v1watch/parity/1" as const),
  pairs: fc.nat(1_000),
  skipped: fc.dictionary(fc.constantFrom("v1 absent", "v2 timeout"), fc.nat(99)),
  requests: fc.record({ v1: fc.nat(99), v2: fc.nat(99) }),
  fields: fc.dictionary(fc.constantFrom("a", "b.c", "constructor"), field),
  shape: fc.dictionary(fc.constantFrom("x", "y"), fc.nat(9)),
});

describe("mergeParity", () => {
  test("is commutative and associative, with emptyParity as its identity", () => {
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

describe("judgeParity", () => {
  const judge = (compared: number, raw: number, noise: number, rule = diffyRule) =>
    judgeParity(
      {
        ...emptyParity(),
        pairs: compared,
        fields: { f: { compared, raw: { value: raw }, noise: { value: noise } } },
      },
      rule,
    );

  test("reports a difference that exceeds the noise by the relative and the absolute margin", () => {
    expect(judge(1_000, 100, 10).verdict).toBe("differences");
    expect(judge(1_000, 100, 10).differences[0]).toMatchObject({
      path: "f",
      kind: "value",
      rawRate: 0.1,
      noiseRate: 0.01,
    });
    expect(judge(1_000, 10, 100).verdict).toBe("parity");
    expect(judge(1_000, 100, 100).verdict).toBe("parity");
    // The relative margin is 20 %; 11,500 against 8,500 is 15 %.
    expect(judge(100_000, 11_500, 8_500).verdict).toBe("parity");
    expect(judge(100_000, 13_000, 8_500).verdict).toBe("differences");
    // The absolute margin is 0.03 %; 3 in 10,000 does not exceed it, 4 in 10,000 does.
    expect(judge(10_000, 3, 0).verdict).toBe("parity");
    expect(judge(10_000, 4, 0).verdict).toBe("differences");
  });

  test("reports three differences if V1 showed no noise, but not if V1 is noisy", () => {
    expect(judge(100, 3, 0)).toMatchObject({ verdict: "differences", unsure: [] });
    expect(judge(100, 5, 1).verdict).toBe("parity");
    expect(judge(100, 25, 1).verdict).toBe("differences");
  });

  test("is insufficient if the differences are too rare to rule out V1's noise", () => {
    const rare = judge(100, 2, 0);
    expect(rare).toMatchObject({ verdict: "insufficient", differences: [], insufficient: [] });
    expect(rare.unsure).toMatchObject([{ path: "f", kind: "value", raw: 2, compared: 100 }]);
    expect(judge(100, 1, 0, { ...diffyRule, minDifferences: 1 }).verdict).toBe("differences");
  });

  test("reports rare V1 noise as a difference in at most 5 % of comparisons", () => {
    const chanceOf = (seen: number, pairs: number, rate: number) => {
      let chance = (1 - rate) ** pairs;
      for (let k = 0; k < seen; k++) chance *= ((pairs - k) / (k + 1)) * (rate / (1 - rate));
      return chance;
    };
    /** The false-positive probability: the sum over all outcomes of two reads of the same noise. */
    const falsePositiveRate = (pairs: number, rate: number, rule = diffyRule) => {
      let sum = 0;
      for (let raw = 1; raw < 15; raw++) {
        for (let noise = 0; noise < raw; noise++) {
          if (judge(pairs, raw, noise, rule).differences.length > 0)
            sum += chanceOf(raw, pairs, rate) * chanceOf(noise, pairs, rate);
        }
      }
      return sum;
    };
    for (const pairs of [30, 100, 400]) {
      for (const rate of [0.001, 0.002, 0.005, 0.01, 0.02])
        expect(falsePositiveRate(pairs, rate), `${pairs} ${rate}`).toBeLessThan(0.05);
    }
    expect(falsePositiveRate(100, 0.007, { ...diffyRule, minDifferences: 1 })).toBeGreaterThan(0.2);
  });

  test("applies a configured rule", () => {
    expect(judge(10_000, 4, 0, { ...diffyRule, absolutePercent: 1 }).verdict).toBe("parity");
    expect(judge(100, 30, 0, { ...diffyRule, minPairs: 101 }).verdict).toBe("insufficient");
  });

  test("is insufficient below 30 pairs in total or for one field", () => {
    expect(judge(29, 29, 0)).toMatchObject({ verdict: "insufficient", differences: [] });
    expect(judge(30, 0, 0).verdict).toBe("parity");
    const fields = { f: { compared: 29, raw: {}, noise: {} }, g: { compared: 90, raw: {}, noise: {} } };
    expect(judgeParity({ ...emptyParity(), pairs: 90, fields })).toMatchObject({
      verdict: "insufficient",
      insufficient: [{ path: "f", compared: 29 }],
    });
  });
});

describe("compareBodies", () => {
  const plan = planParity(decidedMapping("http://v2"));
  const social = (name: string, followers: unknown, location: unknown = "x") => ({
    v1: { profile_name: name, follower_count: String(followers), location },
    v2: { name, followers_count: followers, location },
  });
  const compare = (v1: unknown[] | undefined, v2: unknown) => {
    const differences = compareBodies(
      plan.raw,
      new Map([["passport", { passport: { passport_socials: v1 } }]]),
      new Map([["socials", { socials: v2 }]]),
    );
    return Object.fromEntries(
      plan.paths.flatMap((path, slot) => {
        const kind = differences[slot];
        return kind === undefined || kind === "equal"
          ? []
          : [[path.replace("passport.passport_socials", ""), kind]];
      }),
    );
  };
  const [a, b, c] = [social("a", 1), social("b", 2), social("c", 3)];

  test("finds no difference between equal lists and does not compare a list that V1 lacks", () => {
    expect(compare([a.v1, b.v1], [a.v2, b.v2])).toEqual({});
    expect(compare(undefined, [a.v2])).toEqual({});
  });

  test("reports a different length, a missing list and a different type once, for the list", () => {
    expect(compare([a.v1, b.v1], [a.v2])).toEqual({ "[]": "size" });
    expect(compare([a.v1], undefined)).toEqual({ "[]": "missing" });
    expect(compare([a.v1], "none")).toEqual({ "[]": "type" });
  });

  test("reports a different order once for the list, not for each field", () => {
    expect(compare([a.v1, b.v1, c.v1], [c.v2, a.v2, b.v2])).toEqual({ "[]": "order" });
  });

  test("finds a changed field in its own record of a reordered list", () => {
    const changed = { ...b.v2, followers_count: 99 };
    expect(compare([a.v1, b.v1, c.v1], [c.v2, changed, a.v2])).toEqual({
      "[]": "order",
      "[].follower_count": "value",
    });
    const retyped = { ...a.v2, followers_count: "1" };
    expect(compare([a.v1, b.v1, c.v1], [c.v2, b.v2, retyped])).toEqual({
      "[]": "order",
      "[].follower_count": "type",
    });
    expect(compare([a.v1, b.v1], [a.v2, { ...b.v2, followers_count: "2" }])).toEqual({
      "[].follower_count": "type",
    });
    expect(compare([a.v1, b.v1], [a.v2, { ...b.v2, location: null }])).toEqual({ "[].location": "type" });
  });

  test("reports values that moved between records as a different order of the field", () => {
    const [x, y] = [social("a", 1, "here"), social("b", 2, "there")];
    expect(
      compare(
        [x.v1, y.v1],
        [
          { ...x.v2, location: "there" },
          { ...y.v2, location: "here" },
        ],
      ),
    ).toEqual({
      "[].location": "order",
    });
  });

  test("does not throw for arbitrary bodies", () => {
    const any = fc.jsonValue({ maxDepth: 4 });
    const lists = fc.array(fc.record({ name: any, followers_count: any }));
    fc.assert(
      fc.property(any, fc.oneof(any, fc.record({ socials: fc.oneof(any, lists) })), (left, right) => {
        const all = (body: unknown) =>
          new Map([...plan.v1Endpoints, ...plan.v2Endpoints].map((name) => [name, body]));
        compareBodies(plan.raw, all(left), all(right));
        for (const kind of compareBodies(plan.noise, all(left), all(left)))
          expect([undefined, "equal"]).toContain(kind);
      }),
    );
  });
});

describe("findBreaches", () => {
  const shape = readShape({
    $defs: {
      profile: {
        type: "object",
        required: ["profile"],
        properties: { profile: { $ref: "#/$defs/person" } },
      },
      person: {
        type: "object",
        required: ["id", "bio"],
        additionalProperties: false,
        properties: {
          id: { type: "string" },
          bio: { type: ["string", "null"] },
          points: { anyOf: [{ type: "integer" }, { type: "null" }] },
          kind: { enum: ["a", "b"] },
          old: { type: "string", nullable: true },
          tags: { type: "array", items: { type: "string" } },
          parent: { $ref: "#/$defs/person" },
        },
      },
      loop: { anyOf: [{ $ref: "#/$defs/loop" }] },
    },
  });
  if (!shape) throw new Error("no shape");
  const endpoint = { path: "/profile" };
  const breaches = (body: unknown, name = "profile") =>
    findBreaches(shape, shape.schemaOf(name, endpoint) ?? {}, body).map(
      ({ path, kind }) => `${path} ${kind}`,
    );

  test("finds no violation in a valid response", () => {
    const profile = { id: "x", bio: null, points: null, kind: "a", old: null, tags: ["t"] };
    expect(breaches({ profile: { ...profile, parent: profile }, more: 1 })).toEqual([]);
  });

  test("reports violations by path and kind, never by key or value of the response", () => {
    expect(breaches([])).toEqual(["(body) type"]);
    expect(breaches({})).toEqual(["profile missing"]);
    const profile = {
      id: 7,
      points: "ten",
      kind: "c",
      tags: ["t", 8, 9],
      "0xsecret": 1,
      parent: { id: "y" },
    };
    expect(breaches({ profile })).toEqual([
      "profile.bio missing",
      "profile.id type",
      "profile.points type",
      "profile.kind value",
      "profile.tags[] type",
      "profile.parent.bio missing",
      "profile unlisted",
    ]);
  });

  test("terminates on a schema that only references itself", () => {
    expect(breaches({}, "loop")).toEqual([]);
  });
});

describe("runParity", () => {
  test("counts each passport once, with two reads of V1 and one of V2", async () => {
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

  test("releases reserved requests that a batch did not need or that a stop left unsent", async () => {
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

  test("compares passports later if the budget could not reserve their requests at first", async () => {
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
      ...{ done: [[0, 40]], ending: { kind: "finished" }, pairs: 40 },
    });
  });

  test("ends when the budget is exhausted, with several concurrent batches", async () => {
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

  test("waits secondReadDelayMs between the two reads of V1", async () => {
    const { run } = await startSimulators(2);
    const startedAt = performance.now();
    await runParity({ ...run, secondReadDelayMs: 150 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
  });

  test("gives the same counts for every batch size", async () => {
    const { run } = await startSimulators();
    const texts = [];
    for (const batchSize of [7, 40]) {
      const { aggregate } = await runParity({ ...run, batchSize });
      texts.push(JSON.stringify(aggregate));
    }
    expect(texts[0]).toBe(texts[1]);
  });

  test("stops at its budget and resumes without repeating a request", async () => {
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
    expect(second.aggregate).toEqual(whole.aggregate);
  });

  test("discards the results of a batch that was aborted", async () => {
    const { run, v1, v2 } = await startSimulators();
    const stop = new AbortController();
    const fetchBody = createFetchBody(v1.url, v2.url, { signal: stop.signal });
    const kept: Progress[] = [];
    const stopped = await runParity({
      ...{ ...run, fetchBody, signal: stop.signal, concurrentBatches: 1 },
      onProgress(progress) {
        kept.push(progress);
        if (kept.length === 2) setTimeout(() => stop.abort(), 2);
      },
    });
    expect(stopped.ending).toEqual({ kind: "stopped" });
    expect(stopped.done).toEqual(kept.at(-1)?.done);
    expect(stopped.aggregate.pairs).toBe(countPositions(stopped.done));
  });

  test("skips an id that is unknown to V1 and marks it as done", async () => {
    const { run } = await startSimulators();
    const { aggregate, ending, done } = await runParity({ ...run, ids: [...run.ids, "999999"] });
    expect({ ending, done, skipped: aggregate.skipped }).toEqual({
      ...{ ending: { kind: "finished" }, done: [[0, 41]], skipped: { "v1 absent": 1 } },
    });
  });

  test("accepts wallets as ids", async () => {
    const { run, v1 } = await startSimulators();
    const ids = run.ids.map((_, index) => v1.population.walletOf(index, 0));
    const { aggregate } = await runParity({ ...run, ids });
    expect({ pairs: aggregate.pairs, verdict: judgeParity(aggregate).verdict }).toEqual({
      pairs: 40,
      verdict: "parity",
    });
  });

  test("stops after the first batch if V2 rejects every request", async () => {
    const { run, v1, v2 } = await startSimulators();
    const fetchBody = createFetchBody(v1.url, v2.url, { v2: { baseUrl: v2.url } });
    const { ending, done, aggregate } = await runParity({ ...run, fetchBody, concurrentBatches: 1 });
    expect(ending).toEqual({ kind: "unanswered", why: "v2 401" });
    expect({ done, pairs: aggregate.pairs }).toEqual({ done: [], pairs: 0 });
    expect(v2.requests()).toBeLessThanOrEqual(50);
  });

  test("reports a fixed reason for each malformed or refused response", async () => {
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

  test("counts a failed last batch of one passport and finishes", async () => {
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

  test("counts a passport once if a list is mapped to two V2 lists", async () => {
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
  test("limits the requests in any window and the concurrent requests", async () => {
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

  test("honours Retry-After for one server without delaying the other", async () => {
    await using rateLimited = await serve(respond("429 Too Many Requests", "{}", ["Retry-After: 1"]));
    const { run, v1 } = await startSimulators(1);
    const fetchBody = createFetchBody(v1.url, rateLimited.url.origin);
    expect(await fetchBody("v2", "/profile")).toEqual({ kind: "failed", why: "429", retryAfterMs: 1_000 });
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

describe("cohort", () => {
  test("readCohort accepts ids and wallets and reports other lines by number only", () => {
    const wallet = `0x${"aB".repeat(20)}`;
    expect(readCohort(`\uFEFF# ours\n12\r\n\n ${wallet} \n`)).toEqual({ ok: true, ids: ["12", wallet] });
    const twice = [12, wallet, 12, wallet.toLowerCase()].join("\n");
    expect(readCohort(twice)).toEqual({ ok: true, ids: ["12", wallet] });
    expect(readCohort("12\nAda Lovelace\n-1\n0x12\n")).toEqual({ ok: false, lines: [2, 3, 4], count: 3 });
  });

  test("sampleCohort samples evenly and deterministically", () => {
    const ids = Array.from({ length: 100 }, (_, index) => String(index));
    expect(sampleCohort(ids, 4)).toEqual(["0", "25", "50", "75"]);
    expect(sampleCohort(ids, 1_000)).toEqual(ids);
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
